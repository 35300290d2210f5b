// The fork server: the first process of a jail. It holds no rights but to make namespaces, as
// any user may, and starts a supervisor in new ones for each order that it gets
// (supervisor_protocol.h). Supervisors and what they start cannot see, signal or trace it, and end
// with it. C library only.
//
// A program that is started often can be a fork server itself: it is loaded once, and each start is
// a copy of it.
#pragma once

#include "sandbox/supervisor.h"

namespace warpcheck::sandbox {

// Until the judge lets go; gives its exit status. Called before anything else has been done, so
// that the copies have nothing but the program.
int BeForkServer(const LoadedProgram& loaded);

}  // namespace warpcheck::sandbox
