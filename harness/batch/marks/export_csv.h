// A copy of a learning platform's own table with the class's scores filled in, export.csv.
#pragma once

#include <string>

#include "base/result.h"
#include "batch/course/class_rules.h"
#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns the platform's table with its columns of scores and comments filled in for each student
// of `table` whose row is found; all other cells stay as they were. Fails if the table cannot be
// read, or lacks a column that the rule names.
Result<std::string> FilledIn(const ExportRule& rule, const Table& table);

}  // namespace warpcheck::batch
