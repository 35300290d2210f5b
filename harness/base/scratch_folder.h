// ScratchFolder makes a folder for work in progress. When the object is destroyed, it removes the
// folder with everything in it. For debugging, the variable WARPCHECK_KEEP_SCRATCH keeps the
// folder, and its path is printed to stderr.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace warpcheck {

class ScratchFolder {
 public:
  // Makes "warpcheck.XXXXXX" in TMPDIR, or in /tmp if TMPDIR is not set.
  static Result<ScratchFolder> Make();
  // Makes the folder "<prefix>XXXXXX" in `parent`, and makes `parent` itself if it is missing. Only
  // this user may enter the folder. If this fails, `hint` becomes the hint of the error.
  static Result<ScratchFolder> MakeIn(const std::filesystem::path& parent, std::string_view prefix,
                                      std::string hint);

  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  // The path is absolute.
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  // empty after a move to another object
};

}  // namespace warpcheck
