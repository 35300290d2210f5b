// Finds the statements of a C++ text that reports quote beside a line number.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck::cpptext {

// Returns the statement that stands in line `line` (from 1), as one line without indentation. If
// the statement has several lines, returns it whole if it has at most kMostStatementLines lines,
// and otherwise only the line. Returns an empty text if the text has no such line.
std::string StatementAt(std::string_view text, int line);

inline constexpr int kMostStatementLines = 6;

}  // namespace warpcheck::cpptext
