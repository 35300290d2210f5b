// Tells the student, on stderr, which address host code could not access.
#pragma once

#include "remote/client.h"

namespace warpcheck::remote {

// Installs a handler of SIGSEGV and SIGBUS, on a stack of its own, that writes one line to stderr
// and lets the signal end the process. `client` (not owned) knows which addresses are the device's.
void ExplainMemoryFaults(const Client& client);

}  // namespace warpcheck::remote
