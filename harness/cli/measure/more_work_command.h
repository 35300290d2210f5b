// `warpcheck more-work` grades every test submission with additional work in it.
#pragma once

#include "cli/measure/changed_programs.h"

namespace warpcheck {

// Returns kExitLost if a score rises.
int MoreWorkCommand(const ChangedPrograms& options);

}  // namespace warpcheck
