// Matches names against patterns with wildcards, as --gtest_filter does.
#pragma once

#include <string_view>

namespace warpcheck {

// Returns true if the whole name fits the pattern: `*` stands for any text, `?` for any one
// character.
bool GlobMatches(std::string_view pattern, std::string_view name);

// Returns true if the name fits a filter. A filter is a list of patterns joined by ':'. Patterns
// after a '-' leave names out, as in "Shapes/*:Edges.*-*/1x1".
bool FilterMatches(std::string_view filter, std::string_view name);

}  // namespace warpcheck
