// Starts the warden, under bubblewrap or alone or in a room, with its descriptors in place.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/descriptor.h"
#include "sandbox/keeper.h"
#include "sandbox/mount_stage.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

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
