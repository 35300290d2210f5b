// Finds the functions that a shared object defines, to distinguish a missing function from a
// misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::remote {

// Returns the mangled names of the functions that the 64-bit ELF file `object` exports, in its
// order. Returns nothing for any other file; never reads outside of the file.
std::vector<std::string> ExportedFunctions(std::string_view object);

// Returns one sentence about a function that the object does not define. It lists the functions
// with the same name, and says how the first of them is wrong. If there are no such functions, it
// lists up to 20 of all functions, sorted, but no function of the standard library.
std::string DescribeMissing(const std::string& function, const std::vector<std::string>& defined);

}  // namespace warpcheck::remote
