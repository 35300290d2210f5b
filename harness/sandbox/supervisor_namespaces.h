// What a program in a jail does not share with another (see MakeJail in sandbox.h). C
// library only.
#pragma once

#include <cstdint>

namespace warpcheck::sandbox {

// Flags for clone: the process ids, mounts, System V and POSIX objects, user limits and rights of a
// new process are its own. So is its network, unless `filtered`: with a filter of system calls in
// force it cannot make a socket, and to make and unmake networks takes the kernel longer than all
// the rest.
unsigned long OwnNamespaces(bool filtered);

// In a process that was made with these flags, as its first act: its own session, /proc and /tmp of
// so many bytes; no rights; no further user namespaces. `user` and `group` are what it was before:
// a new namespace does not know them yet. What could not be done (errno says why), or null.
const char* SettleIn(unsigned user, unsigned group, std::uint64_t tmp_bytes);

}  // namespace warpcheck::sandbox
