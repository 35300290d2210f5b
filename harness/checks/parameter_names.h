// What a header calls the parameters of its functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

// Of the declaration of `function` with `count` parameters in the C++ text `header`: "in", "out",
// "rows", "cols". Empty names where a parameter has none; none where there is no such declaration.
std::vector<std::string> ParameterNames(std::string_view header, std::string_view function,
                                        std::size_t count);

}  // namespace warpcheck
