// The command `warpcheck doctor` says whether grading works on this machine.
#pragma once

namespace warpcheck {

// Returns the exit status (cli/exit_status.h).
int DoctorCommand();

}  // namespace warpcheck
