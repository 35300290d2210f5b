// Defines the command line of the program `warpcheck`. It lies in the library, because each source
// that uses CLI11 compiles all of it.
#pragma once

namespace warpcheck {

// Runs the command that the arguments name, and returns the exit status (exit_status.h).
int WarpcheckProgram(int argc, char** argv);

}  // namespace warpcheck
