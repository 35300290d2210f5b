// The first process of a room (warden_keeper.h) as the judge sees it. bubblewrap makes the room
// once; in it the keeper starts a warden, alone in namespaces of its own, for each program.
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

class Keeper {
 public:
  // `prefix`: bwrap and its options up to "--". `program`: the keeper's path inside; empty: the
  // warden's program. Waits until the keeper is there; fails with what bwrap says.
  static Result<std::shared_ptr<Keeper>> Make(std::vector<std::string> prefix,
                                              const std::string& program, const MountStage& stage,
                                              unsigned unprivileged);
  // Ends everything in the room.
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // A pidfd of the new program's warden, which has been given the other ends of `channels`. Fails
  // where the keeper refuses; where it is gone or does not answer, it is not alive after that.
  Result<Descriptor> Start(const Command& command, const Channels& channels, int filter);

  // False once the keeper is gone, and everything in the room with it.
  bool alive() const;

 private:
  Keeper() = default;
  Result<Descriptor> Answer();
  tl::unexpected<Error> GiveUp(std::string_view why);

  pid_t child_ = -1;   // bwrap
  Descriptor bwrap_;   // its pidfd
  Descriptor keeper_;  // the keeper's
  Descriptor control_, output_, errors_;
  mutable std::mutex mutex_;  // one request at a time
};

}  // namespace warpcheck::sandbox
