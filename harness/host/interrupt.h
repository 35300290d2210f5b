// EndsAtInterrupt ends the program in order at an interrupt.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "base/result.h"

namespace warpcheck {

// While this object lives, SIGINT, SIGTERM and SIGHUP remove a folder and end the program with
// status 130; child processes end with it. Only one such object may exist at a time.
class EndsAtInterrupt {
 public:
  // `last` is called after the folder is removed, in another thread.
  static Result<std::unique_ptr<EndsAtInterrupt>> Make(const std::filesystem::path& folder,
                                                       std::function<void()> last = {});
  EndsAtInterrupt(const EndsAtInterrupt&) = delete;
  EndsAtInterrupt& operator=(const EndsAtInterrupt&) = delete;
  ~EndsAtInterrupt();

 private:
  EndsAtInterrupt() = default;
};

}  // namespace warpcheck
