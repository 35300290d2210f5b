// A line log is a file to which lines are appended as things happen, and which others may read
// meanwhile. It has only whole lines: one that a crash has torn is never read, and one that could
// not be written as a whole is taken back. Each user says what its lines hold.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/text/lines.h"

namespace warpcheck {

class LineLogWriter {
 public:
  // Opens the file to append to it, or creates it with these permissions.
  static Result<LineLogWriter> Open(const std::filesystem::path& path, mode_t permissions = 0644);

  // Appends a line; `text` must not contain a newline. When it returns, the operating system has
  // the line, and if `durable` is true, so has the disk. After a failure the file is as before; if
  // that cannot be done, this object writes nothing more.
  Result<> Append(std::string_view text, bool durable = false);

  // Removes everything behind the first `bytes` bytes.
  Result<> CutTo(std::uint64_t bytes);

 private:
  LineLogWriter(std::filesystem::path path, Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::filesystem::path path_;
  Descriptor file_;
  bool torn_ = false;  // a part of a line is at the end, and cannot be taken back
};

class LineLogReader {
 public:
  // Called with each line, without its newline. If it fails, reading stops with its error.
  using Visit = std::function<Result<>(std::string_view line)>;

  // No more than `limit` bytes are read, and a part beyond.
  explicit LineLogReader(std::filesystem::path path, std::uint64_t limit = ~std::uint64_t{0})
      : path_(std::move(path)), limit_(limit) {}

  // Visits the lines that have been completed since the last call. Fails if the file cannot be
  // opened; a later call tries again.
  Result<> Read(const Visit& visit);

  // Returns the number of bytes that were read.
  std::uint64_t bytes() const { return bytes_; }
  bool too_long() const { return bytes_ > limit_; }
  // Returns the beginning of a line that is not complete yet, or that was torn.
  std::string_view begun() const { return lines_.begun(); }

  // Returns the bytes at an offset. Fails if the file is too short. Call it after Read.
  Result<std::string> BytesAt(std::uint64_t offset, std::uint64_t bytes) const;

 private:
  // Reads up to `bytes` at an offset; fewer at the end of the file.
  Result<std::string> ReadAt(std::uint64_t offset, std::size_t bytes) const;

  std::filesystem::path path_;
  std::uint64_t limit_;
  Descriptor file_;
  std::uint64_t bytes_ = 0;
  Lines lines_;
};

}  // namespace warpcheck
