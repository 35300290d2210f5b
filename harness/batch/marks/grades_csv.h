// Writes the table of a class's grades, for the file grades.csv.
#pragma once

#include <string>

#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns the table as CSV (RFC 4180) in UTF-8, with a newline at the end of each line. A score
// that is not final is left out, and the row's note says why. No cell with a text that a student
// can influence is a formula for a spreadsheet.
std::string GradesCsv(const Table& table);

}  // namespace warpcheck::batch
