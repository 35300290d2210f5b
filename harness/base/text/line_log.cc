#include "base/text/line_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpcheck {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 16;

tl::unexpected<Error> LogFailure(std::string_view action, const std::filesystem::path& path) {
  return Fail(fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(errno)));
}

}  // namespace

Result<LineLogWriter> LineLogWriter::Open(const std::filesystem::path& path, mode_t permissions) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, permissions));
  if (file.get() < 0) return LogFailure("open", path);
  return LineLogWriter(path, std::move(file));
}

Result<> LineLogWriter::Append(std::string_view text, bool durable) {
  if (torn_) {
    return Fail(
        fmt::format("cannot write {}: a part of an earlier line is at its end", path_.string()));
  }
  const off_t begin = ::lseek(file_.get(), 0, SEEK_END);
  if (begin < 0) return LogFailure("write", path_);
  Result<> written;
  if (!WriteAll(file_.get(), std::string(text) + '\n')) {
    written = LogFailure("write", path_);
  } else if (durable && ::fdatasync(file_.get()) != 0) {
    written = LogFailure("sync", path_);
  }
  if (!written) torn_ = ::ftruncate(file_.get(), begin) != 0;
  return written;
}

Result<> LineLogWriter::CutTo(std::uint64_t bytes) {
  if (::ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) return LogFailure("cut", path_);
  return {};
}

Result<> LineLogReader::Read(const Visit& visit) {
  if (file_.get() < 0) file_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (file_.get() < 0) return LogFailure("open", path_);
  Result<> visited;
  while (visited && !too_long()) {
    const auto part = WARPCHECK_TRY(ReadAt(bytes_, kReadBytes));
    if (part.empty()) break;
    bytes_ += part.size();
    lines_.Add(part, [&](std::string_view line) {
      if (visited) visited = visit(line);
    });
  }
  return visited;
}

Result<std::string> LineLogReader::BytesAt(std::uint64_t offset, std::uint64_t bytes) const {
  auto found = ReadAt(offset, bytes);
  if (found && found->size() < bytes) {
    return Fail(fmt::format("{} has become shorter", path_.string()));
  }
  return found;
}

Result<std::string> LineLogReader::ReadAt(std::uint64_t offset, std::size_t bytes) const {
  std::string text(bytes, '\0');
  std::size_t have = 0;
  while (have < bytes) {
    const ssize_t got =
        ::pread(file_.get(), text.data() + have, bytes - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return LogFailure("read", path_);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace warpcheck
