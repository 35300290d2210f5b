#include "batch/journal/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace warpcheck::batch {

Result<Descriptor> LockFolder(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "lock";
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) {
    return Fail(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
  }
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file;
  if (errno == EWOULDBLOCK) {
    return Fail(fmt::format("another batch is running in {}", folder.string()), {},
                "wait until it ends, stop it, or choose another folder");
  }
  return Fail(fmt::format("cannot lock {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace warpcheck::batch
