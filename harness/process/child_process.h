// ChildProcess starts and reaps child processes of trusted programs, on Boost.Process.
//
// A child gets only the descriptors that its command names. It is killed when the thread that
// started it ends. It leads its own process group, so that the programs that it starts can be
// killed with it; they also end when this process ends, in whatever way (group_guard.h). The child
// is reaped only after its group was killed, because until then its number cannot be reused. To get
// everything that a program prints, use run_program.h. Untrusted programs run in the sandbox, which
// makes its children itself, because they need namespaces (sandbox/child.h).
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "process/group_guard.h"

namespace warpcheck {

struct ChildCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments{};    // the arguments, without the name of the program
  std::string name{};                      // its argv[0]; if empty, the path of the program
  std::vector<std::string> environment{};  // "NAME=value", added to the inherited variables
  // Variables with this prefix are not inherited; if empty, all are inherited.
  std::string without{};
  std::chrono::seconds cpu_limit{0};  // the limit of processor time; 0 means no limit

  // The descriptors that become 0 to 3 in the child. -1 stands for /dev/null; as the last one, it
  // means that the child has no descriptor 3.
  int input = -1, output = -1, errors = -1, third = -1;

  // If set, the child runs in the foreground: in this process's group, with its streams and ignored
  // signals, and with this mask of blocked signals. Otherwise no signal is blocked or ignored.
  const sigset_t* foreground = nullptr;
};

struct ChildEnd {
  bool signaled = false;
  int code = 0;  // the exit status, or the signal
  // The memory of the largest process among the child and its children.
  std::uint64_t peak_memory_bytes = 0;

  // Returns a text like "exited with status 3" or "was killed by signal 11 (segmentation fault)".
  std::string Text() const;
  // Returns true if a signal from outside ended it, rather than its own mistake (base/signals.h).
  bool KilledByOthers() const;
};

class ChildProcess {
 public:
  // Fails if the program cannot be started.
  static Result<std::unique_ptr<ChildProcess>> Start(const ChildCommand& command);
  // Kills the child and its process group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  bool HasEnded() const;
  // Waits at most this long. Returns true if the child has ended.
  bool AwaitEnd(std::chrono::milliseconds patience) const;
  // Waits until the child has ended, and then kills the processes that it started and left running.
  ChildEnd Wait();
  // Kills the child and its process group.
  ChildEnd Kill();

 private:
  ChildProcess(pid_t pid, std::optional<GroupGuard> guard) : pid_(pid), guard_(std::move(guard)) {}

  pid_t pid_;
  std::optional<GroupGuard> guard_;  // without a value if the child is in this process's group
  bool waited_for_ = false;
  ChildEnd end_;
};

}  // namespace warpcheck
