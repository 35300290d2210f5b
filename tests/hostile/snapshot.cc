#include "hostile/snapshot.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

namespace warpcheck::hostile {
namespace {

namespace fs = std::filesystem;

std::string Describe(const fs::path& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return "cannot be read";
  const bool folder = S_ISDIR(status.st_mode);
  return fmt::format("{:o} {} {} {}.{}", status.st_mode, status.st_ino, folder ? 0 : status.st_size,
                     folder ? 0 : status.st_mtim.tv_sec, folder ? 0 : status.st_mtim.tv_nsec);
}

template <class Visit>
void Walk(const fs::path& folder, const std::vector<fs::path>& left_out, Visit visit) {
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator at(folder, options, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (std::ranges::find(left_out, at->path()) != left_out.end()) {
      at.disable_recursion_pending();
    } else {
      visit(at->path());
    }
  }
}

}  // namespace

Snapshot Take(const std::vector<fs::path>& folders, const std::vector<fs::path>& left_out) {
  Snapshot snapshot;
  for (const fs::path& folder : folders) {
    Walk(folder, left_out, [&](const fs::path& path) { snapshot[path] = Describe(path); });
  }
  return snapshot;
}

std::vector<std::string> Differences(const Snapshot& before, const Snapshot& after) {
  std::vector<std::string> differences;
  for (const auto& [path, state] : before) {
    const auto now = after.find(path);
    if (now == after.end()) differences.push_back("gone: " + path);
    if (now != after.end() && now->second != state) differences.push_back("changed: " + path);
  }
  for (const auto& [path, state] : after) {
    if (!before.contains(path)) differences.push_back("new: " + path);
  }
  return differences;
}

std::vector<std::string> Planted(const std::vector<fs::path>& folders) {
  std::vector<std::string> planted;
  for (const fs::path& folder : folders) {
    Walk(folder, {"/proc", "/sys"}, [&](const fs::path& path) {
      if (path.filename().string().find("warpcheck_planted") != std::string::npos) {
        planted.push_back(path);
      }
    });
  }
  return planted;
}

}  // namespace warpcheck::hostile
