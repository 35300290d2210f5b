// Prepares texts for cells of tables and for lists. The texts may come from a submission or from a
// student.
#pragma once

#include <string>

namespace warpcheck::batch {

// Returns the text on one line, without control characters.
std::string OnOneLine(const std::string& text);

// Returns the text on one line, with a "'" before it if a spreadsheet would read it as a formula.
std::string CellText(const std::string& text);

}  // namespace warpcheck::batch
