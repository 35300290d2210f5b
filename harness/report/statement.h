// Statements of a source that are shown in reports.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

// What stands in line `line` (from 1) of C++ text, as one line without indentation: the whole
// statement where it is written over several lines, up to kMostStatementLines of them. Empty beyond
// the text.
std::string StatementAt(std::string_view text, int line);

inline constexpr int kMostStatementLines = 6;

}  // namespace warpcheck
