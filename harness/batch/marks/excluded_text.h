// The list of what was not graded, excluded.txt.
#pragma once

#include <string>

#include "batch/marks/table.h"

namespace warpcheck::batch {

// Returns the superseded and the refused submissions, the students who handed in nothing, and who
// handed in the same files.
std::string ExcludedText(const Table& table);

}  // namespace warpcheck::batch
