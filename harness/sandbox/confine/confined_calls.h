// Limits the system calls of a confined process (confine.h), by seccomp. Landlock decides which
// files may be opened and named, if the kernel has it. This filter refuses what Landlock cannot
// express, or expresses only in later versions.
#pragma once

#include "base/result.h"

namespace warpcheck::sandbox {

// A process that confines itself may still do this, beside computing.
enum class Writes {
  kNothing,  // it opens files only to read them, and changes none
  kFolders,  // it makes, renames and removes files; Landlock says where
};

// Allows this process, its threads and all that it starts only the calls of system_calls.def that
// are a judge's. What is left changes no file except through descriptors that are open for writing,
// reaches no socket except those that are connected, and sends no signal to another process. A call
// that is not allowed returns ENOSYS. Closes descriptors of sockets that are not connected for
// good, such as datagram sockets, since a message through them may name any address. It cannot be
// undone.
Result<> ConfineCalls(Writes writes);

}  // namespace warpcheck::sandbox
