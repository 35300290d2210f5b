// Hashes texts and files with SHA-256 (FIPS 180-4). A hash is a text of 64 hexadecimal digits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

// Returns the hash of a sequence of strings. Each enters with its length before it, so that no two
// sequences are hashed alike: {"ab"} and {"a", "b"} differ.
std::string Sha256(const std::vector<std::string_view>& parts);

// Returns the hash of a file's bytes, as sha256sum prints it.
std::string FileDigest(std::string_view bytes);

}  // namespace warpcheck
