// The command `warpcheck list` lists the assignments.
#pragma once

namespace warpcheck {

// Returns the exit status (cli/exit_status.h).
int ListCommand();

}  // namespace warpcheck
