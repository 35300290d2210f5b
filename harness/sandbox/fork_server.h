// ForkServer is the fork server of a jail as the judge sees it (fork_server_process.h is its
// program). bubblewrap makes the jail once. The fork server is the first process in the jail, and
// starts a supervisor for each program, in namespaces of its own.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "sandbox/mount_stage.h"
#include "sandbox/sandbox.h"
#include "sandbox/supervisor_start.h"

namespace warpcheck::sandbox {

class ForkServer {
 public:
  // `prefix` is bwrap with its options up to "--". `program` is the fork server's path as seen
  // inside; if it is empty, the supervisor's own program is used. Waits until the fork server
  // answers. Fails with bwrap's error text.
  static Result<std::shared_ptr<ForkServer>> Make(std::vector<std::string> prefix,
                                                  const std::string& program,
                                                  const MountStage& stage, unsigned unprivileged);
  // Ends everything in the jail.
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  // Starts a program, gives the supervisor the other ends of `channels`, and returns the
  // supervisor's pidfd. Fails if the fork server refuses. If the fork server has ended or does not
  // answer, alive() is false afterwards.
  Result<Descriptor> Start(const Command& command, const Channels& channels, int filter);

  // Returns false when the fork server, and with it everything in the jail, has ended.
  bool alive() const;

 private:
  ForkServer() = default;
  Result<Descriptor> Answer();
  tl::unexpected<Error> GiveUp(std::string_view why);

  pid_t child_ = -1;        // the pid of bwrap
  Descriptor bwrap_;        // the pidfd of bwrap
  Descriptor fork_server_;  // the pidfd of the fork server
  Descriptor control_, output_, errors_;
  mutable std::mutex mutex_;  // allows one request at a time
};

}  // namespace warpcheck::sandbox
