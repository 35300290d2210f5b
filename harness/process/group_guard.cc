#include "process/group_guard.h"

#include <fmt/format.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpcheck {
namespace {

// Never returns. Holds no other descriptor, because who reads a pipe of the group waits for all its
// writers.
[[noreturn]] void Guard(int pipe) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  ::dup2(pipe, 0);
  ::close_range(1, ~0U, 0);
  char byte;
  while (::read(0, &byte, 1) < 0 && errno == EINTR) {
  }
  ::kill(0, SIGKILL);  // the group, with the guard
  ::_exit(0);
}

}  // namespace

Result<GroupGuard> GroupGuard::Make() {
  auto pipe = MakePipe();
  if (!pipe) return Fail(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return GroupGuard(*std::move(pipe));
}

// The guard is a child of a process that ends at once, and then of the process that takes in
// orphans.
bool GroupGuard::StartInLeader() const {
  const pid_t between = ::fork();
  if (between < 0) return false;
  if (between == 0) {
    const pid_t guard = ::fork();
    if (guard == 0) Guard(pipe_.source.get());
    ::_exit(guard < 0 ? 1 : 0);
  }
  int status = 0;
  while (::waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0;
}

}  // namespace warpcheck
