#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "base/descriptor.h"

namespace warpcheck {

namespace {

tl::unexpected<Error> SystemFailure(std::string_view action, const std::filesystem::path& path) {
  return Fail(fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(errno)));
}

// Returns the size in bytes. Fails if the file was not opened, or is not a regular file.
Result<std::size_t> SizeOf(const Descriptor& fd, const std::filesystem::path& path) {
  if (fd.get() < 0) return SystemFailure("open", path);
  struct stat status = {};
  if (::fstat(fd.get(), &status) != 0) return SystemFailure("examine", path);
  if (!S_ISREG(status.st_mode)) {
    return Fail(fmt::format("cannot read {}: it is not a regular file", path.string()));
  }
  return static_cast<std::size_t>(status.st_size);
}

// Writes to something that is not a regular file, such as a device or a pipe, without replacing it.
Result<> WriteThrough(const std::filesystem::path& path, std::string_view bytes) {
  const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (fd.get() < 0) return SystemFailure("write to", path);
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags & ~O_NONBLOCK) != 0 ||
      !WriteAll(fd.get(), bytes)) {
    return SystemFailure("write to", path);
  }
  return {};
}

constexpr mode_t kFileMode = 0644;

// Makes a file with a new name beside `path`, and returns it, open for writing, and its name.
// Returns no descriptor, with errno set, if the file cannot be made.
struct NewFile {
  std::string name;
  Descriptor fd;
};
NewFile MakeFileBeside(const std::filesystem::path& path) {
  std::random_device random;
  for (;;) {
    NewFile made;
    made.name = fmt::format("{}.{:06x}", path.string(), random() & 0xff'ffff);
    made.fd =
        Descriptor(::open(made.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
    if (made.fd.get() >= 0 || errno != EEXIST) return made;
  }
}

// A file has the mode already, unless the process's umask removes some of it.
bool SetMode(const Descriptor& fd) {
  struct stat status = {};
  return ::fstat(fd.get(), &status) == 0 &&
         ((status.st_mode & ALLPERMS) == kFileMode || ::fchmod(fd.get(), kFileMode) == 0);
}

}  // namespace

Result<std::string> ReadFile(const std::filesystem::path& path, std::size_t max_bytes) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const auto size = WARPCHECK_TRY(SizeOf(fd, path));
  std::string bytes;
  bytes.reserve(std::min(max_bytes, size));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemFailure("read", path);
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (bytes.size() > max_bytes) {
      return Fail(
          fmt::format("cannot read {}: it is larger than {} bytes", path.string(), max_bytes));
    }
  }
}

Result<> WriteFile(const std::filesystem::path& named, std::string_view bytes) {
  std::error_code error;
  std::filesystem::path path = named;
  for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
    constexpr int kMostLinks = 40;  // the kernel has the same limit
    if (links == kMostLinks) {
      return Fail(fmt::format("cannot write {}: its symbolic link leads nowhere", named.string()));
    }
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  }
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_other(status)) return WriteThrough(path, bytes);
  const NewFile made = MakeFileBeside(path);
  if (made.fd.get() < 0) return SystemFailure("create a file beside", path);
  const auto fail = [&](std::string_view action) {
    auto failure = SystemFailure(action, path);
    ::unlink(made.name.c_str());
    return failure;
  };
  if (!WriteAll(made.fd.get(), bytes)) return fail("write");
  if (!SetMode(made.fd)) return fail("set the mode of");
  if (::rename(made.name.c_str(), path.c_str()) != 0) return fail("replace");
  return {};
}

}  // namespace warpcheck
