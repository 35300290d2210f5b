// The first process of a jail (fork_server_process.h) as the judge sees it. bubblewrap makes
// the jail once; in it the fork server starts a supervisor, alone in namespaces of its own,
// for each program.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/channels.h"
#include "sandbox/child.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

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

}  // namespace warpcheck::sandbox
