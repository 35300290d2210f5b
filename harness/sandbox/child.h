// Starts a program as a child of this process. The child gets only the descriptors in its setup.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/mount_stage.h"

namespace warpcheck::sandbox {

struct ChildSetup {
  const MountStage& stage;
  unsigned unprivileged;  // the user and group to change to; 0 for no change
  int input, output, errors;
  int third = -1;               // the descriptor that becomes 3 in the child; -1 for no descriptor
  bool same_addresses = false;  // true to turn address randomisation off, if the kernel allows it
  std::vector<int> kept;        // descriptors that keep their numbers; negative ones are ignored
};

struct Child {
  pid_t pid = -1;      // the caller must wait for it
  Descriptor process;  // the child's pidfd
};

// `line` is the program's path and its arguments; the child inherits this process's environment.
// Fails if the program cannot be executed. The child exits with status 125 if a descriptor, a mount
// of the stage or the user cannot be set.
Result<Child> StartChild(const ChildSetup& setup, std::vector<std::string> line);

// Waits until the process of a pidfd has ended. Kills the process after 3 s.
void AwaitEnd(int process);

// Returns an error with the text of errno, such as "cannot make a pipe: Too many open files".
tl::unexpected<Error> SystemFailure(std::string_view action);

}  // namespace warpcheck::sandbox
