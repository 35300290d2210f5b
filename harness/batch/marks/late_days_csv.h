// Writes how many late days of their budget students used, for the file late_days.csv, which the
// class.toml of later assignments names.
#pragma once

#include <string>

#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns a table as CSV with the columns id, name, used (for this assignment) and left (of the
// course's budget).
std::string LateDaysCsv(const Table& table);

}  // namespace warpcheck::batch
