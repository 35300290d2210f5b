// Ends a process group when the program that started it ends, in whatever way: at a signal, by a
// crash, or because it is killed. The kernel tells only the child itself of its parent's end
// (PR_SET_PDEATHSIG), not the processes that the child has started.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck {

// A guard is a process of the group, which waits for the end of a pipe. Only the program that
// starts the group holds the other end, and so the kernel closes it when that program ends. The
// guard is no child of the group's leader, which may wait for all of its children.
class GroupGuard {
 public:
  // Makes the pipe. The group may live as long as this object does.
  static Result<GroupGuard> Make();

  // Starts the guard. Call it between fork and exec in the child that leads the group; it makes
  // only system calls. Returns false, with errno set, if there can be no guard.
  bool StartInLeader() const;

 private:
  explicit GroupGuard(Pipe pipe) : pipe_(std::move(pipe)) {}

  Pipe pipe_;
};

}  // namespace warpcheck
