// A line log (base/text/line_log.h) of checked lines, so that a line which a power failure
// has damaged can be recognised:
//
//   4f0c...9a {"event":"graded",...}      16 hexadecimal digits, a space, one JSON value
//
// The digits are the beginning of the SHA-256 of the line's number and text, so that they are
// wrong if a line was changed, lost, doubled or moved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text/line_log.h"

namespace warpcheck::batch {

// The place of a line's text in the file.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

class CheckedFile {
 public:
  // The type of the function that is called with each line. If the function fails, reading fails
  // with its error and the line's number.
  using Visit = std::function<Result<>(std::string_view text, Extent extent)>;

  // Opens the file, or creates an empty one, and visits its lines. If the last line is torn or
  // damaged, cuts it off; any other damage is an error that names the line.
  static Result<CheckedFile> Open(const std::filesystem::path& path, const Visit& visit);

  // Opens an existing file without changing it; nothing can be appended.
  static Result<CheckedFile> OpenToRead(const std::filesystem::path& path, const Visit& visit);

  // Appends one line; `text` must not contain a newline. When the call returns, the operating
  // system has the line. If `durable` is true, the disk has it too. After a failure the file is as
  // before.
  Result<Extent> Append(std::string_view text, bool durable);

  // Returns the text of a line that was visited or appended before.
  Result<std::string> TextAt(Extent extent) const;

  // Returns how many bytes of a torn or damaged last line were cut off.
  std::uint64_t dropped() const { return dropped_; }

 private:
  explicit CheckedFile(const std::filesystem::path& path) : path_(path), reader_(path) {}
  Result<> Scan(const Visit& visit);

  std::filesystem::path path_;
  LineLogReader reader_;
  std::optional<LineLogWriter> writer_;  // not of a file that was opened to read it only
  std::uint64_t lines_ = 0;              // complete ones
  std::uint64_t size_ = 0;               // their bytes
  std::uint64_t dropped_ = 0;
};

// Makes sure that files which were created, renamed or removed in a folder survive a power
// failure.
Result<> SyncFolder(const std::filesystem::path& folder);

}  // namespace warpcheck::batch
