// A folder that goes away with its owner, also when the user presses Ctrl-C.
#pragma once

#include <filesystem>
#include <functional>
#include <utility>

#include "base/result.h"

namespace warpcheck {

// At most one at a time. While it lives, SIGINT, SIGTERM and SIGHUP remove the folder and end the
// program with status 130; child processes end with it.
class ScratchFolder {
 public:
  // `at_interrupt` runs in another thread before the program ends by a signal.
  static Result<ScratchFolder> Make(std::function<void()> at_interrupt);
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace warpcheck
