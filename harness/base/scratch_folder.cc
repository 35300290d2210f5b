#include "base/scratch_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warpcheck {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::Make() {
  constexpr std::string_view kHint = "set TMPDIR to a folder that can be written";
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) {
    return Fail("cannot make a temporary folder: " + error.message(), {}, std::string(kHint));
  }
  return MakeIn(parent, "warpcheck.", std::string(kHint));
}

Result<ScratchFolder> ScratchFolder::MakeIn(const fs::path& parent, std::string_view prefix,
                                            std::string hint) {
  std::error_code error;
  fs::create_directories(parent, error);
  std::string path = fmt::format("{}/{}XXXXXX", fs::absolute(parent).string(), prefix);
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return Fail(fmt::format("cannot write to {}: {}", parent.string(),
                            error ? error.message() : std::strerror(errno)),
                {}, std::move(hint));
  }
  return ScratchFolder(fs::path(path));
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  if (std::getenv("WARPCHECK_KEEP_SCRATCH") != nullptr) {
    fmt::print(stderr, "warpcheck: kept {}\n", path_.string());
    return;
  }
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace warpcheck
