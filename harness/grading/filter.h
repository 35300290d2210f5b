// Patterns for test names, as in --gtest_filter.
#pragma once

#include <string_view>

namespace warpcheck {

// `*` is any text, `?` any one character.
bool GlobMatches(std::string_view pattern, std::string_view name);

// Globs joined by ':', then after a '-' those to leave out: "Shapes/*:Edges.*-*/1x1".
bool FilterMatches(std::string_view filter, std::string_view name);

}  // namespace warpcheck
