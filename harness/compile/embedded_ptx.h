// Finds PTX in a compiled object, and identifies a module by a digest of its PTX.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::compile {

// Returns the digest that identifies a module in Artifact::modules. It depends on the words of the
// PTX alone: an object's copy has no comments, fewer blanks, and null bytes at its end.
std::string PtxDigest(std::string_view ptx);

// Returns the PTX of each .cu file in an object that a Builder made. The PTX lies there as plain
// text.
std::vector<std::string> PtxIn(std::string_view object);

}  // namespace warpcheck::compile
