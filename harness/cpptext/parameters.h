// Finds the names of a function's parameters in a C++ header that declares it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::cpptext {

// Looks for a declaration of `function` with `count` parameters in the C++ text `header`, and
// returns their names: "in", "out", "rows", "cols". A parameter without a name gives an empty text.
// The list is empty if there is no such declaration.
std::vector<std::string> ParameterNames(std::string_view header, std::string_view function,
                                        std::size_t count);

}  // namespace warpcheck::cpptext
