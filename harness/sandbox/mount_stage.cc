#include "sandbox/mount_stage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace warpcheck::sandbox {
namespace {

// Returns the folder that the stage covers. Files in it are hidden from bubblewrap, so another
// folder than /tmp is preferred: bubblewrap itself may lie there, for example in a test.
std::string StageFolder() {
  std::error_code ignored;
  return std::filesystem::is_directory("/mnt", ignored) ? "/mnt" : "/tmp";
}

}  // namespace

Result<MountStage> MountStage::Make(const std::vector<Mount>& mounts, bool needed) {
  MountStage stage;
  stage.needed_ = needed && !mounts.empty();
  stage.folder_ = StageFolder();
  for (const Mount& mount : mounts) {
    Descriptor opened(::open(mount.outside.c_str(), O_PATH | O_CLOEXEC));
    struct stat status = {};
    if (opened.get() < 0 || ::fstat(opened.get(), &status) != 0) {
      return Fail(fmt::format("cannot show {} to the sandbox: {}", mount.outside.string(),
                              std::strerror(errno)));
    }
    Item item;
    item.outside = mount.outside.string();
    item.path = needed ? fmt::format("{}/{}", stage.folder_, stage.items_.size()) : item.outside;
    item.source = fmt::format("/proc/self/fd/{}", opened.get());
    item.folder = S_ISDIR(status.st_mode);
    item.opened = std::move(opened);
    stage.items_.push_back(std::move(item));
  }
  return stage;
}

bool MountStage::Enter() const {
  if (!needed_) return true;
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return false;
  }
  // Opens each path again, because a mount namespace can bind only files that were opened in it.
  for (const Item& item : items_) {
    const int again = ::open(item.outside.c_str(), O_PATH | O_CLOEXEC);
    if (again < 0 || ::dup3(again, item.opened.get(), O_CLOEXEC) < 0) return false;
    ::close(again);
  }
  if (::mount("tmpfs", folder_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=1m") != 0) {
    return false;
  }
  for (const Item& item : items_) {
    if (item.folder) {
      if (::mkdir(item.path.c_str(), 0755) != 0) return false;
    } else {
      const int file = ::open(item.path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
      if (file < 0) return false;
      ::close(file);
    }
    if (::mount(item.source.c_str(), item.path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace warpcheck::sandbox
