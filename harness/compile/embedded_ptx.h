// Finds PTX in a compiled object, and identifies a module by a digest of its PTX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::compile {

// Returns the digest that identifies a module in Artifact::modules. It depends only on the words of
// the PTX, because the copy in an object has no comments, fewer blanks, and null bytes at its end.
std::string PtxDigest(std::string_view ptx);

// Returns the PTX of each .cu file in an object that a Builder made. The object contains the PTX as
// plain text.
std::vector<std::string> PtxIn(std::string_view object);

}  // namespace warpcheck::compile
