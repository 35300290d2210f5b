// Runs the fork server, the first process of a jail. Its only right is to make namespaces, as any
// user may. For each order that it gets (supervisor_protocol.h), it starts a supervisor in new
// namespaces. Supervisors and their programs cannot see, signal or trace it, and end with it. It
// uses only the C library.
//
// A program that is started often can be a fork server itself: it is loaded once, and each start is
// a copy of it.
#pragma once

#include "sandbox/supervisor/supervisor.h"

namespace warpcheck::sandbox {

// Serves until the judge closes its end, and returns the exit status. Call this before anything
// else, so that the copies contain only the program.
int RunForkServer(const LoadedProgram& loaded);

}  // namespace warpcheck::sandbox
