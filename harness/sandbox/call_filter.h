// Makes the filter (seccomp) of the system calls that a program in the sandbox may make. Namespaces
// decide what a program can access; the filter excludes parts of the kernel that no honest program
// needs. A forbidden call ends the program, and its name is reported.
#pragma once

#include <string>

#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// Returns a descriptor of a memfd with the filter as an array of struct sock_filter, or -1 for
// Calls::kAll. The file is made once for each process and stays open. Forbidden calls have the
// action SECCOMP_RET_USER_NOTIF, which notifies the process that installs the filter.
Result<int> CallFilterFile(Calls calls);

// Returns a name like "ptrace"; "number 467" for a call that libseccomp does not know; "one of
// another architecture" for a negative number.
std::string CallName(int number);

}  // namespace warpcheck::sandbox
