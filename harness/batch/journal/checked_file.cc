#include "batch/journal/checked_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/hash.h"
#include "base/text/lines.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kDigits = 16;
constexpr std::size_t kReadBytes = std::size_t{1} << 16;

std::string DigitsOf(std::uint64_t number, std::string_view text) {
  return Sha256({std::to_string(number), text}).substr(0, kDigits);
}

// Returns the text of a line without its newline; empty if its digits are not right.
std::string_view TextOf(std::string_view line, std::uint64_t number) {
  if (line.size() <= kDigits + 1 || line[kDigits] != ' ') return {};
  const std::string_view text = line.substr(kDigits + 1);
  return line.substr(0, kDigits) == DigitsOf(number, text) ? text : std::string_view();
}

tl::unexpected<Error> SystemFailure(std::string_view action, const std::filesystem::path& path) {
  return Fail(fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(errno)));
}

// Reads up to `bytes` at an offset; fewer at the end of the file.
Result<std::string> ReadAt(int file, std::uint64_t offset, std::size_t bytes,
                           const std::filesystem::path& path) {
  std::string text(bytes, '\0');
  std::size_t have = 0;
  while (have < bytes) {
    const ssize_t got =
        ::pread(file, text.data() + have, bytes - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemFailure("read", path);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace

Result<> SyncFolder(const std::filesystem::path& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync folders (EINVAL).
  if (file.get() < 0 || (::fsync(file.get()) != 0 && errno != EINVAL)) {
    return SystemFailure("sync", folder);
  }
  return {};
}

Result<CheckedFile> CheckedFile::Open(const std::filesystem::path& path, const Visit& visit) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  if (file.get() < 0) return SystemFailure("open", path);
  CheckedFile opened(path, std::move(file));
  WARPCHECK_TRY(opened.Scan(visit));
  if (opened.dropped_ > 0 &&
      ::ftruncate(opened.file_.get(), static_cast<off_t>(opened.size_)) != 0) {
    return SystemFailure("cut", path);
  }
  WARPCHECK_TRY(SyncFolder(std::filesystem::absolute(path).parent_path()));
  return opened;
}

Result<CheckedFile> CheckedFile::OpenToRead(const std::filesystem::path& path, const Visit& visit) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return SystemFailure("open", path);
  CheckedFile opened(path, std::move(file));
  WARPCHECK_TRY(opened.Scan(visit));
  return opened;
}

Result<> CheckedFile::Scan(const Visit& visit) {
  Lines lines;
  std::uint64_t damaged = 0;  // the bytes of a damaged line, which only the last line may be
  Result<> scanned;
  const auto take = [&](std::string_view line) {
    if (!scanned) return;
    const SourceLocation where{.file = path_.string(), .line = static_cast<int>(lines_) + 1};
    if (damaged > 0) {
      scanned = Fail("this line of the journal is damaged, and others follow it", where,
                     fmt::format("bring the file back from a copy, or keep what comes before with "
                                 "`head -n {}`: what came after is graded again",
                                 lines_));
      return;
    }
    const std::string_view text = TextOf(line, lines_ + 1);
    if (text.empty()) {
      damaged = line.size() + 1;
      return;
    }
    const Extent extent{.offset = size_ + kDigits + 1, .bytes = text.size()};
    if (auto visited = visit(text, extent); !visited) {
      scanned = Fail(visited.error().message, where);
      return;
    }
    ++lines_;
    size_ += line.size() + 1;
  };
  for (std::uint64_t offset = 0; scanned;) {
    const auto read = WARPCHECK_TRY(ReadAt(file_.get(), offset, kReadBytes, path_));
    if (read.empty()) break;
    offset += read.size();
    lines.Add(read, take);
  }
  // A damaged line may be followed by a torn one: both were being written when the power
  // failed.
  dropped_ = damaged + lines.begun().size();
  return scanned;
}

Result<Extent> CheckedFile::Append(std::string_view text, bool durable) {
  const std::string line = fmt::format("{} {}\n", DigitsOf(lines_ + 1, text), text);
  Result<> written;
  if (!WriteAll(file_.get(), line)) {
    written = SystemFailure("write", path_);
  } else if (durable && ::fdatasync(file_.get()) != 0) {
    written = SystemFailure("sync", path_);
  }
  if (!written) {
    // The next reader would drop an incomplete line anyway.
    [[maybe_unused]] const int cut = ::ftruncate(file_.get(), static_cast<off_t>(size_));
    return Fail(written.error());
  }
  const Extent extent{.offset = size_ + kDigits + 1, .bytes = text.size()};
  ++lines_;
  size_ += line.size();
  return extent;
}

Result<std::string> CheckedFile::TextAt(Extent extent) const {
  auto text = ReadAt(file_.get(), extent.offset, extent.bytes, path_);
  if (text && text->size() < extent.bytes) {
    return Fail(fmt::format("{} has become shorter", path_.string()));
  }
  return text;
}

}  // namespace warpcheck::batch
