// An append-only file of checked lines: what a crash or a lost power leaves of it can be told from
// what was written whole.
//
//   4f0c...9a {"event":"graded",...}      16 hexadecimal digits, a space, one JSON value
//
// The digits are the beginning of the SHA-256 of the line's number and text, so that a line that
// was changed, lost, doubled or moved does not fit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck::batch {

// Where a line's text lies in the file.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

class CheckedFile {
 public:
  // What is done with a line. Its failure becomes that of reading, and names the line.
  using Visit = std::function<Result<>(std::string_view text, Extent extent)>;

  // Opens the file, or makes an empty one, and visits its lines. A last line that is torn or
  // damaged is cut off. Fails on any other damage, and names the line.
  static Result<CheckedFile> Open(const std::filesystem::path& path, const Visit& visit);

  // The same without a change of the file, which has to be there; nothing can be appended.
  static Result<CheckedFile> OpenToRead(const std::filesystem::path& path, const Visit& visit);

  // Appends one line; `text` holds no newline. Where it returns, the operating system has it, and
  // with `durable` so has the disk. After a failure the file is as before.
  Result<Extent> Append(std::string_view text, bool durable);

  // The text of a line that was visited or appended.
  Result<std::string> TextAt(Extent extent) const;

  // How many bytes of a torn or damaged last line were cut off.
  std::uint64_t dropped() const { return dropped_; }

 private:
  CheckedFile(std::filesystem::path path, Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}
  Result<> Scan(const Visit& visit);

  std::filesystem::path path_;
  Descriptor file_;
  std::uint64_t lines_ = 0;  // whole ones
  std::uint64_t size_ = 0;   // of them, in bytes
  std::uint64_t dropped_ = 0;
};

// Makes what was created, renamed or removed in a folder survive a loss of power.
Result<> SyncFolder(const std::filesystem::path& folder);

}  // namespace warpcheck::batch
