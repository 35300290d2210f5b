// Runs the fork server, the first process of a jail. It has no rights but to make namespaces, as
// any user may, and starts a supervisor in new namespaces for each order that it gets
// (supervisor_protocol.h). Supervisors and their programs cannot see, signal or trace it, and end
// with it. It uses the C library only.
//
// A program that is started often can be a fork server itself: it is loaded once, and each start is
// a copy of it.
#pragma once

#include "sandbox/supervisor/supervisor.h"

namespace warpcheck::sandbox {

// Serves until the judge closes its end, and returns the exit status. Call it before anything else,
// so that the copies contain nothing but the program.
int RunForkServer(const LoadedProgram& loaded);

}  // namespace warpcheck::sandbox
