// Starts a supervisor, under bubblewrap, alone, or in a jail, with its descriptors in place.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/fork_server.h"
#include "sandbox/mount_stage.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// The plan of a process: everything but the descriptors, which are made anew for each start.
struct LaunchPlan {
  std::vector<std::string> prefix;  // bwrap and its options up to "--"; empty: no bwrap
  Command command;
  MountStage stage;           // mounts moved to where the unprivileged user can reach them
  unsigned unprivileged = 0;  // the user and group to become; 0: no change
  std::shared_ptr<ForkServer> fork_server;  // set for a jail; then only `command` is used besides
};

struct Launched {
  Descriptor process;  // a pidfd, readable when the process and all that it started have ended
  pid_t child = -1;    // the caller must wait for it; -1: the fork server does
  Descriptor control;  // receives SupervisorReports; closing it ends everything
  Descriptor output;
  Descriptor errors;
};

Result<Launched> Launch(const LaunchPlan& plan);

}  // namespace warpcheck::sandbox
