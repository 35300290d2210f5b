// ScratchFolder makes a folder for work in progress and removes it, with all that is in it, when its
// owner is destroyed. For debugging, the variable WARPCHECK_KEEP_SCRATCH keeps it: its path is then
// printed to stderr.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace warpcheck {

class ScratchFolder {
 public:
  // "warpcheck.XXXXXX" where temporary files go: in TMPDIR, else /tmp.
  static Result<ScratchFolder> Make();
  // "<prefix>XXXXXX" in `parent`, which is made where it is missing. Only this user may enter it.
  // `hint`: what to do where that fails.
  static Result<ScratchFolder> MakeIn(const std::filesystem::path& parent, std::string_view prefix,
                                      std::string hint);

  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  // Absolute.
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;  // empty: another one's now
};

}  // namespace warpcheck
