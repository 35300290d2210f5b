// Fills the class's scores into a copy of a learning platform's own table, for the file export.csv.
#pragma once

#include <string>

#include "base/result.h"
#include "batch/course/class_rules.h"
#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns the platform's table. Its columns of scores and comments are filled in for each student
// of `table` whose row is found; all other cells stay as they were. Fails if the table cannot be
// read, or if it lacks a column that the rule names.
Result<std::string> FilledIn(const ExportRule& rule, const Table& table);

}  // namespace warpcheck::batch
