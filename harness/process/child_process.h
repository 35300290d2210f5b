// Child processes of trusted programs: started, ended and told of in one way, on Boost.Process.
//
// A child gets the descriptors that it is given and no others, ends with the thread that started
// it, and has a process group of its own, so that what it starts ends with it. It is waited for
// only when its group has been ended: until then its number cannot become another process's.
// Whoever wants all that a program prints uses run_program.h; untrusted programs run in the
// sandbox, whose children need namespaces and are made there (sandbox/child.h).
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct ChildCommand {
  std::filesystem::path program;
  std::vector<std::string> arguments{};    // its own name not among them
  std::string name{};                      // as it is to see its own; empty: the program's path
  std::vector<std::string> environment{};  // "NAME=value", beside what is inherited
  std::string without{};              // variables of names that begin so are not; empty: all are
  std::chrono::seconds cpu_limit{0};  // of processor time; 0: none

  // Become its descriptors 0 to 3; -1: /dev/null, and none for the last.
  int input = -1, output = -1, errors = -1, third = -1;

  // In this process's group, with its streams and ignored signals, and this mask of blocked ones.
  // Else it has none, and every signal does to it what it does by default.
  const sigset_t* foreground = nullptr;
};

struct ChildEnd {
  bool signaled = false;
  int code = 0;                         // exit status or signal
  std::uint64_t peak_memory_bytes = 0;  // of the largest of its processes

  // "exited with status 3", "was killed by signal 11 (segmentation fault)".
  std::string Text() const;
  // By a signal that programs send to others, never the kernel for what this one did.
  bool KilledByOthers() const;
};

class ChildProcess {
 public:
  // Fails where the program cannot be started.
  static Result<std::unique_ptr<ChildProcess>> Start(const ChildCommand& command);
  // Kills it, and what it started.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  bool HasEnded() const;
  // Waits no longer than this. True: it has ended.
  bool AwaitEnd(std::chrono::milliseconds patience) const;
  // Waits until it has ended, then kills what it started and left running.
  ChildEnd Wait();
  // Kills it, and what it started.
  ChildEnd Kill();

 private:
  ChildProcess(pid_t pid, bool has_group) : pid_(pid), has_group_(has_group) {}

  pid_t pid_;
  bool has_group_;
  bool waited_for_ = false;
  ChildEnd end_;
};

}  // namespace warpcheck
