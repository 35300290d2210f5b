// Which bytes of a piece of memory are known to be written, so that most reads need no look at the
// mark of each byte: of every 4096, how many from the first one on. Where more has to be known, it
// is found out from the marks.
//
// Several threads may ask and learn at once, as long as nobody notes or forgets.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace warpcheck::emulator {

// The mark of a byte that has been written; others are marked by anything else.
inline constexpr std::uint8_t kWritten = 0xFF;

class KnownWritten {
 public:
  KnownWritten() = default;
  explicit KnownWritten(std::uint64_t bytes) { Reset(bytes); }

  // Memory of so many bytes, of which nothing is known.
  void Reset(std::uint64_t bytes);
  // Notes that bytes were written, or may be not.
  void Note(std::uint64_t begin, std::uint64_t bytes);
  void Forget(std::uint64_t begin, std::uint64_t bytes);

  // Whether bytes [begin, end) are known to be written.
  bool Holds(std::uint64_t begin, std::uint64_t end) const {
    if (whole_) return true;
    const std::uint64_t page = begin / kPageBytes;
    return end - page * kPageBytes <= known_[page].load(std::memory_order_relaxed) ||
           (end > (page + 1) * kPageBytes && HoldPages(page, end));
  }
  // The same, after a look at `written`, the marks of all bytes. False of long stretches of memory
  // that was not written as a whole: too many pages.
  bool Learn(const std::uint8_t* written, std::uint64_t begin, std::uint64_t end) {
    return Holds(begin, end) || LearnPages(written, begin, end);
  }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::uint64_t kMostPages = 64;  // of one access

  bool HoldPages(std::uint64_t page, std::uint64_t end) const;
  bool LearnPages(const std::uint8_t* written, std::uint64_t begin, std::uint64_t end);
  std::uint64_t BytesOf(std::uint64_t page) const;

  std::uint64_t bytes_ = 0;
  bool whole_ = false;                             // all of it is known
  std::vector<std::atomic<std::uint16_t>> known_;  // by page: its first so many bytes are
};

}  // namespace warpcheck::emulator
