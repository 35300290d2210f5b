// What race_checker.h remembers of each word of memory: who wrote it last, and two threads that
// read it. A cell stands for 4 bytes, or for one where a page has seen narrower accesses.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace warpcheck::emulator {

// A point in the order of events, ascending for as long as a checker lives (race_clock.h).
using Stamp = std::int32_t;

// Who accessed, in a cell: thread in the block, how strong the access was, place in the program.
using Who = std::uint32_t;
inline constexpr int kThreadBits = 10;
inline constexpr int kStrengthBits = 2;
inline constexpr Who kThreadMask = (Who{1} << kThreadBits) - 1;

// The cells of a page. Each array has the same number of them; what is not stamped later than the
// launch began means nothing.
struct ShadowPage {
  static constexpr std::uint32_t kBytes = 4096;  // of the memory that it stands for
  static constexpr std::uint32_t kPadding = 16;  // keeps the arrays out of each other's cache sets

  explicit ShadowPage(std::uint32_t bytes_a_cell);

  std::uint32_t cells() const { return kBytes >> shift; }
  Stamp* written() { return stamps(0); }
  Who* writer() { return whos(1); }
  Stamp* read() { return stamps(2); }  // the first in a while
  Who* reader() { return whos(3); }
  Stamp* read_again() { return stamps(4); }  // the last by another thread
  Who* again() { return whos(5); }

  std::uint32_t shift = 2;  // a cell stands for 1 << shift bytes

 private:
  friend class ShadowPool;
  std::uint32_t stride() const { return cells() + kPadding; }
  Stamp* stamps(std::uint32_t i) { return reinterpret_cast<Stamp*>(memory_.get() + i * stride()); }
  Who* whos(std::uint32_t i) { return memory_.get() + i * stride(); }

  std::unique_ptr<Who[]> memory_;
};

// Pages that are used again without being cleared: later launches tell old stamps from new ones.
class ShadowPool {
 public:
  static constexpr std::size_t kMostPages = 16'384;  // of 4096 bytes: 64 MiB of memory a launch

  ShadowPage* Take();  // of 4-byte cells; null where kMostPages are in use
  void GiveBack(ShadowPage* page);
  // The page with one cell a byte and the same contents, for `page`, which is given back.
  ShadowPage* Split(ShadowPage* page);
  void Forget() { free_words_.clear(), free_bytes_.clear(); }

 private:
  std::size_t used_ = 0;
  std::vector<std::unique_ptr<ShadowPage>> free_words_, free_bytes_;
};

// A stretch of memory: the pages of an allocation, or of a block's shared memory.
class ShadowStretch {
 public:
  ShadowStretch(ShadowPool& pool, std::uint64_t begin, std::uint64_t end)
      : pool_(&pool), begin_(begin), pages_((end - begin) / ShadowPage::kBytes + 1) {}
  ~ShadowStretch() { Clear(); }
  ShadowStretch(const ShadowStretch&) = delete;
  ShadowStretch& operator=(const ShadowStretch&) = delete;

  void Clear();
  // The page that holds offset `at` from the beginning, with cells of at most `width` bytes; null
  // where there are too many.
  ShadowPage* PageAt(std::uint64_t at, std::uint32_t width) {
    ShadowPage*& page = pages_[at / ShadowPage::kBytes];
    if (page == nullptr) [[unlikely]]
      page = pool_->Take();
    if (page != nullptr && width < 4 && page->shift != 0) [[unlikely]]
      page = pool_->Split(page);
    return page;
  }
  std::uint64_t begin() const { return begin_; }

 private:
  ShadowPool* pool_;
  std::uint64_t begin_;
  std::vector<ShadowPage*> pages_;
};

}  // namespace warpcheck::emulator
