// The keeper: the first process of a room. It holds no rights but to make namespaces, as any user
// may, and starts a warden in new ones for each order that it gets (warden_protocol.h). Wardens and
// what they start cannot see, signal or trace it, and end with it. C library only.
//
// A program that is started often can be a keeper itself: it is loaded once, and each start is a
// copy of it.
#pragma once

#include "sandbox/warden.h"

namespace warpcheck::sandbox {

// Until the judge lets go; gives its exit status. Called before anything else has been done, so
// that the copies have nothing but the program.
int BeKeeper(const LoadedProgram& loaded);

}  // namespace warpcheck::sandbox
