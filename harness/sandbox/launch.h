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

// The plan of a process: everything except the descriptors, which are made new for each start.
struct LaunchPlan {
  // Bwrap and its options up to "--"; empty to start without bwrap.
  std::vector<std::string> prefix;
  Command command;
  MountStage stage;           // mounts moved to where the unprivileged user can reach them
  unsigned unprivileged = 0;  // the user and group to change to; 0 for no change
  // Set for a jail; then of the other fields only `command` is used.
  std::shared_ptr<ForkServer> fork_server;
};

struct Launched {
  // A pidfd, which becomes readable when the process and all processes that it started have ended.
  Descriptor process;
  pid_t child = -1;  // the caller must wait for it; if -1, the fork server does
  // Receives SupervisorReports; closing it ends the process and all that it started.
  Descriptor control;
  Descriptor output;
  Descriptor errors;
};

Result<Launched> Launch(const LaunchPlan& plan);

}  // namespace warpcheck::sandbox
