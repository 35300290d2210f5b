// The system calls that a program in the sandbox may make, as a filter for the kernel (seccomp).
// The namespaces decide what a program can reach; the filter keeps it from the parts of the kernel
// that no honest program needs. A call that it forbids ends the program and is named.
#pragma once

#include <string>

#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// A file (memfd) with the filter as an array of struct sock_filter, made once a process and open as
// long as it. -1 for Calls::kAll. Forbidden calls have the action SECCOMP_RET_USER_NOTIF: whoever
// installs the filter hears of them.
Result<int> CallFilterFile(Calls calls);

// "ptrace"; "number 467" for one that libseccomp does not know; "one of another architecture" for a
// negative number.
std::string CallName(int number);

}  // namespace warpcheck::sandbox
