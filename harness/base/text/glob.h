// Patterns of names with wildcards, as --gtest_filter has them.
#pragma once

#include <string_view>

namespace warpcheck {

// True if the whole name fits the pattern: `*` stands for any text, `?` for any one character.
bool GlobMatches(std::string_view pattern, std::string_view name);

// True if the name fits a filter: patterns joined by ':', and after a '-' the patterns of names to
// leave out, as in "Shapes/*:Edges.*-*/1x1".
bool FilterMatches(std::string_view filter, std::string_view name);

}  // namespace warpcheck
