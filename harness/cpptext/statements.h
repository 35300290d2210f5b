// Statements of C++ text, as reports quote them beside a line number.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck::cpptext {

// Returns the statement that stands in line `line` (from 1), as one line without indentation. A
// statement of several lines is returned whole, if it has at most kMostStatementLines of them; of a
// longer one, the line alone. Returns an empty text for a line that the text does not have.
std::string StatementAt(std::string_view text, int line);

inline constexpr int kMostStatementLines = 6;

}  // namespace warpcheck::cpptext
