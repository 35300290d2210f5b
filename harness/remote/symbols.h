// Finds the functions that a shared object defines, to tell a missing function from a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::remote {

// Returns the mangled names of the functions that the 64-bit ELF file `object` exports, in its
// order. Returns nothing for another file; never reads outside of it.
std::vector<std::string> ExportedFunctions(std::string_view object);

// Returns one sentence about a function that the object does not define. It lists the functions of
// the same name, with what is wrong with the first; or else up to 20 of all functions, sorted,
// without those of the standard library.
std::string DescribeMissing(const std::string& function, const std::vector<std::string>& defined);

}  // namespace warpcheck::remote
