// The table of a class's grades, grades.csv.
#pragma once

#include <string>

#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns the table as CSV (RFC 4180) in UTF-8, whose lines end with a newline. A score that is not
// final is left out, and the row's note says why. No cell that a student can influence is a formula
// to a spreadsheet.
std::string GradesCsv(const Table& table);

}  // namespace warpcheck::batch
