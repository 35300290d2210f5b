// SHA-256 (FIPS 180-4) of a sequence of strings, as 64 hexadecimal digits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::build {

// Each part enters with its length, so that no two sequences look alike.
std::string Sha256(const std::vector<std::string_view>& parts);

}  // namespace warpcheck::build
