// Starts the supervisor, under bubblewrap or alone or in a jail, with its descriptors in
// place.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/child.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// The judge's side of the supervisor's program: where it is, and what it is told at its start
// (supervisor_protocol.h).

// The supervisor's program as an unnamed file, made once a process and open as long as it.
Result<int> SupervisorImage();

// A path that a child executes a descriptor of ours by: "/proc/self/fd/12".
std::string PathOf(int descriptor);

struct OrderedDescriptors {
  int control, inherited, image, filter;  // -1: none
};

// The supervisor's arguments.
std::vector<std::string> SupervisorOrders(const Command& command,
                                          const OrderedDescriptors& descriptors,
                                          bool owns_namespace);

// The first process of a jail (fork_server_process.cc) as the judge sees it. bubblewrap makes
// the jail once; in it the fork server starts a supervisor, alone in namespaces of its own,
// for each program.

class ForkServer {
 public:
  // `prefix`: bwrap and its options up to "--". `program`: the fork server's path inside; empty:
  // the supervisor's program. Waits until the fork server is there; fails with what bwrap says.
  static Result<std::shared_ptr<ForkServer>> Make(std::vector<std::string> prefix,
                                                  const std::string& program,
                                                  const MountStage& stage, unsigned unprivileged);
  // Ends everything in the jail.
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  // A pidfd of the new program's supervisor, which has been given the other ends of `channels`.
  // Fails where the fork server refuses; where it is gone or does not answer, it is not alive after
  // that.
  Result<Descriptor> Start(const Command& command, const Channels& channels, int filter);

  // False once the fork server is gone, and everything in the jail with it.
  bool alive() const;

 private:
  ForkServer() = default;
  Result<Descriptor> Answer();
  tl::unexpected<Error> GiveUp(std::string_view why);

  pid_t child_ = -1;        // bwrap
  Descriptor bwrap_;        // its pidfd
  Descriptor fork_server_;  // the fork server's
  Descriptor control_, output_, errors_;
  mutable std::mutex mutex_;  // one request at a time
};

// How to make a process: everything but the descriptors that each start makes anew.
struct LaunchPlan {
  std::vector<std::string> prefix;  // bwrap and its options up to "--"; empty: the supervisor alone
  Command command;
  MountStage stage;           // mounts moved where the dropped user can reach them
  unsigned unprivileged = 0;  // user and group to become; 0: stay
  std::shared_ptr<ForkServer>
      fork_server;  // of the jail to start it in, in place of all but the command
};

struct Launched {
  Descriptor process;  // a pidfd: readable when it and all that it started are gone
  pid_t child = -1;    // to be waited for; -1: by the fork server
  Descriptor control;  // SupervisorReports come here; closing it ends everything
  Descriptor output;
  Descriptor errors;
};

Result<Launched> Launch(const LaunchPlan& plan);

}  // namespace warpcheck::sandbox
