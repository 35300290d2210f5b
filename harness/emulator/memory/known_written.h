// KnownWritten summarises which bytes of an allocation are known to be written: for each page of
// 4096 bytes, how many of its first bytes are. Therefore most reads need not look at the mark of
// each byte. If the summary does not answer a question, the marks do.
//
// Several threads may call Holds and Learn at once, as long as no thread calls Note or Forget.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace warpcheck::emulator {

// The mark of a byte that has been written; any other value marks a byte that has not.
inline constexpr std::uint8_t kWritten = 0xFF;

class KnownWritten {
 public:
  KnownWritten() = default;
  explicit KnownWritten(std::uint64_t bytes) { Reset(bytes); }

  // Starts again with memory of `bytes` bytes, of which no byte is known to be written.
  void Reset(std::uint64_t bytes);
  // Note() records that the bytes were written, and Forget() that they may be unwritten.
  void Note(std::uint64_t begin, std::uint64_t bytes);
  void Forget(std::uint64_t begin, std::uint64_t bytes);

  // Returns true if bytes [begin, end) are known to be written.
  bool Holds(std::uint64_t begin, std::uint64_t end) const {
    if (whole_) return true;
    const std::uint64_t page = begin / kPageBytes;
    return end - page * kPageBytes <= known_[page].load(std::memory_order_relaxed) ||
           (end > (page + 1) * kPageBytes && HoldPages(page, end));
  }
  // Returns the same, but reads the marks `written` of all bytes if the summary does not tell. It
  // may return false for written bytes if they span more than kMostPages pages.
  bool Learn(const std::uint8_t* written, std::uint64_t begin, std::uint64_t end) {
    return Holds(begin, end) || LearnPages(written, begin, end);
  }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::uint64_t kMostPages = 64;  // the most pages of one access that Learn reads

  bool HoldPages(std::uint64_t page, std::uint64_t end) const;
  bool LearnPages(const std::uint8_t* written, std::uint64_t begin, std::uint64_t end);
  std::uint64_t BytesOf(std::uint64_t page) const;

  std::uint64_t bytes_ = 0;
  bool whole_ = false;  // true if all bytes are known to be written
  // For each page, how many of its first bytes are known to be written.
  std::vector<std::atomic<std::uint16_t>> known_;
};

}  // namespace warpcheck::emulator
