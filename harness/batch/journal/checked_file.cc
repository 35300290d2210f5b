#include "batch/journal/checked_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/hash.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kDigits = 16;

std::string DigitsOf(std::uint64_t number, std::string_view text) {
  return Sha256({std::to_string(number), text}).substr(0, kDigits);
}

// Returns the text of a line without its newline; empty if its digits are wrong.
std::string_view TextOf(std::string_view line, std::uint64_t number) {
  if (line.size() <= kDigits + 1 || line[kDigits] != ' ') return {};
  const std::string_view text = line.substr(kDigits + 1);
  return line.substr(0, kDigits) == DigitsOf(number, text) ? text : std::string_view();
}

tl::unexpected<Error> SystemFailure(std::string_view action, const std::filesystem::path& path) {
  return Fail(fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(errno)));
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
  LineLogWriter writer = WARPCHECK_TRY(LineLogWriter::Open(path));
  CheckedFile opened = WARPCHECK_TRY(OpenToRead(path, visit));
  if (opened.dropped_ > 0) WARPCHECK_TRY(writer.CutTo(opened.size_));
  WARPCHECK_TRY(SyncFolder(std::filesystem::absolute(path).parent_path()));
  opened.writer_ = std::move(writer);
  return opened;
}

Result<CheckedFile> CheckedFile::OpenToRead(const std::filesystem::path& path, const Visit& visit) {
  CheckedFile opened(path);
  WARPCHECK_TRY(opened.Scan(visit));
  return opened;
}

Result<> CheckedFile::Scan(const Visit& visit) {
  std::uint64_t damaged = 0;  // the bytes of a damaged line, which only the last line may be
  WARPCHECK_TRY(reader_.Read([&](std::string_view line) -> Result<> {
    const SourceLocation where{.file = path_.string(), .line = static_cast<int>(lines_) + 1};
    if (damaged > 0) {
      return Fail(
          "this line of the journal is damaged, but it is not the last line", where,
          fmt::format("restore the file from a copy. Or keep only the lines before it, with `head "
                      "-n {}`: the submissions of all other lines are then graded again",
                      lines_));
    }
    const std::string_view text = TextOf(line, lines_ + 1);
    if (text.empty()) {
      damaged = line.size() + 1;
      return {};
    }
    const Extent extent{.offset = size_ + kDigits + 1, .bytes = text.size()};
    if (auto visited = visit(text, extent); !visited) return Fail(visited.error().message, where);
    ++lines_;
    size_ += line.size() + 1;
    return {};
  }));
  // A damaged line may be followed by a torn one: both were being written when the power
  // failed.
  dropped_ = damaged + reader_.begun().size();
  return {};
}

Result<Extent> CheckedFile::Append(std::string_view text, bool durable) {
  WARPCHECK_CHECK(writer_.has_value(), "the file was opened to read it only");
  const std::string line = fmt::format("{} {}", DigitsOf(lines_ + 1, text), text);
  WARPCHECK_TRY(writer_->Append(line, durable));
  const Extent extent{.offset = size_ + kDigits + 1, .bytes = text.size()};
  ++lines_;
  size_ += line.size() + 1;
  return extent;
}

Result<std::string> CheckedFile::TextAt(Extent extent) const {
  return reader_.BytesAt(extent.offset, extent.bytes);
}

}  // namespace warpcheck::batch
