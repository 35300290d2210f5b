// Starts the warden, under bubblewrap or alone or in a room, with its descriptors in place.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/child.h"
#include "sandbox/keeper.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// The judge's side of the warden's program: where it is, and what it is told at its start
// (warden_protocol.h).

// The warden's program as an unnamed file, made once a process and open as long as it.
Result<int> WardenImage();

// A path that a child executes a descriptor of ours by: "/proc/self/fd/12".
std::string PathOf(int descriptor);

struct OrderedDescriptors {
  int control, inherited, image, filter;  // -1: none
};

// The warden's arguments.
std::vector<std::string> WardenOrders(const Command& command, const OrderedDescriptors& descriptors,
                                      bool owns_namespace);

// How to make a process: everything but the descriptors that each start makes anew.
struct LaunchPlan {
  std::vector<std::string> prefix;  // bwrap and its options up to "--"; empty: the warden alone
  Command command;
  MountStage stage;                // mounts moved where the dropped user can reach them
  unsigned unprivileged = 0;       // user and group to become; 0: stay
  std::shared_ptr<Keeper> keeper;  // of the room to start it in, in place of all but the command
};

struct Launched {
  Descriptor process;  // a pidfd: readable when it and all that it started are gone
  pid_t child = -1;    // to be waited for; -1: by the keeper
  Descriptor control;  // WardenReports come here; closing it ends everything
  Descriptor output;
  Descriptor errors;
};

Result<Launched> Launch(const LaunchPlan& plan);

}  // namespace warpcheck::sandbox
