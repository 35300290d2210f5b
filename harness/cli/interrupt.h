// What SIGINT, SIGTERM and SIGHUP do to a command: one that has nothing to bring to an end ends at
// once, and leaves no files behind (EndsAtInterrupt); one that has is told, and ends by itself
// (WatchForStop).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/result.h"

namespace warpcheck {

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

}  // namespace warpcheck
