// Which functions a shared object defines: so that a missing one can be told from a misspelt one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::remote {

// The mangled names of the functions that the ELF file `object` (64 bits) exports, in its order.
// Empty where it is no such file; never reads outside it.
std::vector<std::string> ExportedFunctions(std::string_view object);

// One sentence for a function that the object does not define: which of those that it defines have
// the same name, and what is wrong with the first; or else all, at most 20, sorted; never those of
// the standard library.
std::string DescribeMissing(const std::string& function, const std::vector<std::string>& defined);

}  // namespace warpcheck::remote
