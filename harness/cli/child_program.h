// A program that runs in the foreground in place of this one: it has this one's terminal, streams
// and signals.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "process/child_process.h"

namespace warpcheck {

// What SIGINT, SIGTERM and SIGHUP do to a command: one that has nothing to bring to an end ends at
// once, and leaves no files behind (EndsAtInterrupt); one that has is told, and ends by itself
// (WatchForStop).

// At most one at a time. While it lives, those signals remove a folder and end the program with
// status 130; child processes end with it.
class EndsAtInterrupt {
 public:
  // `last` runs after the folder is removed, in another thread.
  static Result<std::unique_ptr<EndsAtInterrupt>> Make(const std::filesystem::path& folder,
                                                       std::function<void()> last = {});
  EndsAtInterrupt(const EndsAtInterrupt&) = delete;
  EndsAtInterrupt& operator=(const EndsAtInterrupt&) = delete;
  ~EndsAtInterrupt();

 private:
  EndsAtInterrupt() = default;
};

// From now on those signals are kept for StopSignal; and a file that may not grow is an error of
// the write, as on a full disk, and no signal.
void WatchForStop();

// The last of those signals; 0 where none has come.
int StopSignal();

// Runs it to its end with the calling process's environment and `variables` ("NAME=value"), in its
// process group, so that Ctrl-C and Ctrl-Z reach it as without us. Meanwhile this process outlives
// SIGINT and SIGQUIT, and hands SIGTERM and SIGHUP on. `arguments` begin with the program's name as
// it is to see it. Fails where it cannot be started.
Result<ChildEnd> RunInForeground(const std::filesystem::path& program,
                                 const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& variables);

// Ends this process as the child ended: by the same signal, without a core file, or returns its
// status.
int EndLike(const ChildEnd& end);

}  // namespace warpcheck
