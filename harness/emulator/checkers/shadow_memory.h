// What race_checker.cc remembers of each word of memory: who wrote it last, and two threads that
// read it. A cell stands for 4 bytes, or for one where a page has seen narrower accesses.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
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
inline constexpr Who kWarpMask = kThreadMask & ~Who{31};
inline constexpr Who kNotFolded = ~Who{0};  // no program has so many places

// The cells of a page. Each array has the same number of them; what is not stamped later than the
// launch began means nothing.
struct ShadowPage {
  static constexpr std::uint32_t kBytes = 4096;  // of the memory that it stands for
  static constexpr std::uint32_t kPadding = 16;  // keeps the arrays out of each other's cache sets

  // Cells are grouped by 64 bytes. Where neighbouring threads access a group as a whole, a word
  // each, the group stands for its cells, which are filled in when somebody looks at one (Unfold):
  // most never are.
  static constexpr std::uint32_t kGroupBytes = 64;
  struct Group {
    Stamp written = 0;  // when any of the cells was written last
    Stamp read = 0;     // and read
    // Of the first cell; the others follow. kNotFolded where the cells tell by themselves.
    Who writer = kNotFolded;  // all cells were written at `written`
    Who reader = kNotFolded;  // all were read at `read` for the first time in a while
  };

  // Who has read a group. A word that two blocks have read is settled: one of the two is another
  // block than whoever writes later, so that further reads add nothing. So is one that two warps of
  // the block that runs have read, until its next barrier: quiet. Words are bits here.
  struct Readers {
    Stamp at = 0;                    // when a block read one last
    std::uint32_t block = 0;         // which one
    std::uint32_t block_before = 0;  // another
    std::uint16_t words = 0;         // that it has read
    std::uint16_t words_before = 0;  // that the block before has
    std::uint16_t settled = 0;
    std::uint16_t quiet = 0;
    Stamp quiet_at = 0;
  };

  // `memory`: Words(shift) of them, zeros.
  ShadowPage(std::uint32_t cell_shift, Who* memory) : shift(cell_shift), memory_(memory) {}
  static constexpr std::size_t Words(std::uint32_t shift) {
    return std::size_t{kArrays} * ((kBytes >> shift) + kPadding);
  }

  std::uint32_t cells() const { return kBytes >> shift; }
  Stamp* written() { return stamps(0); }
  Who* writer() { return whos(1); }
  Stamp* read() { return stamps(2); }  // the first in a while
  Who* reader() { return whos(3); }
  Stamp* read_again() { return stamps(4); }  // the last by another thread
  Who* again() { return whos(5); }

  std::uint32_t NumberOf(std::uint32_t cell) const { return (cell << shift) / kGroupBytes; }
  Group& GroupOf(std::uint32_t cell) { return groups[NumberOf(cell)]; }
  void Unfold(Group& group) {
    if (group.writer != kNotFolded || group.reader != kNotFolded) [[unlikely]]
      FillIn(group);
  }

  alignas(64) std::array<Group, kBytes / kGroupBytes> groups = {};
  std::array<Readers, kBytes / kGroupBytes> readers = {};
  std::uint32_t shift = 2;  // a cell stands for 1 << shift bytes

 private:
  friend class ShadowPool;
  static constexpr std::uint32_t kArrays = 6;
  std::size_t stride() const { return cells() + kPadding; }
  void FillIn(Group& group);
  Stamp* stamps(std::uint32_t i) { return reinterpret_cast<Stamp*>(memory_ + i * stride()); }
  Who* whos(std::uint32_t i) { return memory_ + i * stride(); }

  Who* memory_;
};

// Pages that are used again without being cleared: later launches tell old stamps from new ones.
class ShadowPool {
 public:
  // Of 4096 bytes: 64 MiB of memory a launch. One of byte cells takes the place of four.
  static constexpr std::size_t kMostPages = 16'384;

  ShadowPage* Take();                        // of 4-byte cells; null where there are too many
  bool refused() const { return refused_; }  // one, since all were given back
  void GiveBack(ShadowPage* page);
  // The page with one cell a byte and the same contents, for `page`, which is given back; null, and
  // `page` stays, where there are too many.
  ShadowPage* Split(ShadowPage* page);

 private:
  // Small pages of zeros from the system, which cost nothing until they are touched: most never
  // are.
  struct Release {
    std::size_t bytes = 0;
    void operator()(Who* memory) const;
  };
  using Slab = std::unique_ptr<Who, Release>;
  static constexpr std::size_t kSlabPages = 64;

  static Slab MakeSlab(std::size_t bytes);

  ShadowPage* Make(std::uint32_t shift);
  static std::size_t PlacesOf(const ShadowPage& page) { return page.shift == 2 ? 1 : 4; }
  bool TakePlaces(std::size_t places);  // false where there are not so many

  std::size_t used_ = 0;  // places
  bool refused_ = false;
  std::vector<ShadowPage*> free_words_, free_bytes_;
  std::deque<ShadowPage> pages_;  // all there are
  std::vector<Slab> slabs_;
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
    if (page != nullptr && width < 4 && page->shift != 0) [[unlikely]] {
      ShadowPage* const fine = pool_->Split(page);
      if (fine == nullptr) return nullptr;
      page = fine;
    }
    return page;
  }
  std::uint64_t begin() const { return begin_; }

 private:
  ShadowPool* pool_;
  std::uint64_t begin_;
  std::vector<ShadowPage*> pages_;
};

}  // namespace warpcheck::emulator
