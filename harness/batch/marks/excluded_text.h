// Lists the submissions that were not graded, for the file excluded.txt.
#pragma once

#include <string>

#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns a text that lists the superseded and the refused submissions, the students who handed in
// nothing, and the students who handed in the same files.
std::string ExcludedText(const Table& table);

}  // namespace warpcheck::batch
