// Shadow memory has the access history of each word of memory. A cell keeps the last write and two
// reads, each as an epoch and an access id, and what an atomic write has hidden. A cell represents
// 4 bytes, or one byte in pages that have seen narrower accesses.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "emulator/checkers/races/shadow/access_id.h"
#include "emulator/checkers/races/shadow/hidden_writes.h"

namespace warpcheck::emulator {

// A page has the cells of 4096 bytes of memory, as arrays of equal length. An entry whose epoch
// lies before the beginning of the launch is out of date and means nothing, so that pages need not
// be cleared.
struct ShadowPage {
  static constexpr std::uint32_t kBytes = 4096;  // bytes of memory that a page represents
  // Cells of padding, so that the arrays do not share cache sets.
  static constexpr std::uint32_t kPadding = 16;

  // The cells of 64 bytes form a group. If neighbouring threads access a whole group, one word
  // each, only the group records the access: the group is folded. Unfold fills in its cells when
  // one of them is needed, which is rare.
  static constexpr std::uint32_t kGroupBytes = 64;
  struct Group {
    Epoch written = 0;  // the epoch of the last write to any of the cells
    Epoch read = 0;     // the epoch of the last read
    // If the group is folded, the id of the first cell's access; the ids of the others follow. If
    // the group is not folded, kNotFolded: then the cells have the accesses.
    AccessId writer = kNotFolded;  // then all cells were written at the epoch `written`
    AccessId reader = kNotFolded;  // then all cells were read at the epoch `read`
  };

  // The readers of a group. Further reads of a word add nothing once two blocks have read it,
  // because one of the two differs from any block that writes later. The same is true for two warps
  // of the block that runs, until its next barrier. Each set of words is a mask with one bit for
  // each word.
  struct Readers {
    Epoch at = 0;                    // the epoch of the last read of the group
    std::uint32_t block = 0;         // the block that made the last read
    std::uint32_t block_before = 0;  // the block that read the group before `block`
    std::uint16_t words = 0;         // words that `block` has read
    std::uint16_t words_before = 0;  // words that `block_before` has read
    std::uint16_t read_by_two_blocks = 0;
    std::uint16_t read_by_two_warps = 0;  // words that two warps of `block` have read
    Epoch two_warps_at = 0;               // the epoch at which read_by_two_warps was last set
  };

  // `memory` has Words(shift) words of zeros, and must outlive the page.
  ShadowPage(std::uint32_t cell_shift, AccessId* memory) : shift(cell_shift), memory_(memory) {}
  static constexpr std::size_t Words(std::uint32_t shift) {
    return std::size_t{kArrays} * ((kBytes >> shift) + kPadding);
  }

  std::uint32_t cells() const { return kBytes >> shift; }
  Epoch* written() { return epochs(0); }
  AccessId* writer() { return ids(1); }
  Epoch* read() { return epochs(2); }  // the first of the two kept reads
  AccessId* reader() { return ids(3); }
  // The second kept read, which is the last by another thread.
  Epoch* read_again() { return epochs(4); }
  AccessId* again() { return ids(5); }

  std::uint32_t NumberOf(std::uint32_t cell) const { return (cell << shift) / kGroupBytes; }
  Group& GroupOf(std::uint32_t cell) { return groups[NumberOf(cell)]; }
  void Unfold(Group& group) {
    if (group.writer != kNotFolded || group.reader != kNotFolded) [[unlikely]]
      FillIn(group);
  }

  alignas(64) std::array<Group, kBytes / kGroupBytes> groups = {};
  std::array<Readers, kBytes / kGroupBytes> readers = {};
  HiddenWrites hidden;
  static_assert(HiddenWrites::kGroups == kBytes / kGroupBytes);
  std::uint32_t shift = 2;  // each cell represents 1 << shift bytes

 private:
  friend class ShadowPool;
  static constexpr std::uint32_t kArrays = 6;
  std::size_t stride() const { return cells() + kPadding; }
  void FillIn(Group& group);
  Epoch* epochs(std::uint32_t i) { return reinterpret_cast<Epoch*>(memory_ + i * stride()); }
  AccessId* ids(std::uint32_t i) { return memory_ + i * stride(); }

  AccessId* memory_;
};

// ShadowPool owns all pages, and lends them. Used pages are not cleared, because later launches
// recognise old epochs.
class ShadowPool {
 public:
  // The most pages in use, for 64 MiB of memory in one launch. A page of byte cells counts as four.
  static constexpr std::size_t kMostPages = 16'384;

  ShadowPage* Take();  // returns a page of 4-byte cells, or null if kMostPages are in use
  // Returns true if Take or Split has returned null since all pages were given back.
  bool refused() const { return refused_; }
  void GiveBack(ShadowPage* page);
  // Replaces `page` by a page with one cell for each byte and the same contents, and takes `page`
  // back. Returns null, and keeps `page`, if too many pages are in use.
  ShadowPage* Split(ShadowPage* page);

 private:
  // Memory of several pages, mapped from the system. It costs nothing until it is touched, and most
  // of it is never touched.
  struct Release {
    std::size_t bytes = 0;
    void operator()(AccessId* memory) const;
  };
  using Slab = std::unique_ptr<AccessId, Release>;
  static constexpr std::size_t kSlabPages = 64;

  static Slab MakeSlab(std::size_t bytes);

  ShadowPage* Make(std::uint32_t shift);
  static std::size_t PlacesOf(const ShadowPage& page) { return page.shift == 2 ? 1 : 4; }
  bool TakePlaces(std::size_t places);  // returns false if fewer are left

  std::size_t used_ = 0;  // counts places: a page of byte cells takes four
  bool refused_ = false;
  std::vector<ShadowPage*> free_words_, free_bytes_;
  std::deque<ShadowPage> pages_;  // all pages that were ever created
  std::vector<Slab> slabs_;
};

// ShadowStretch is the shadow of a range of memory: of an allocation, or of the shared memory of a
// block.
class ShadowStretch {
 public:
  ShadowStretch(ShadowPool& pool, std::uint64_t begin, std::uint64_t end)
      : pool_(&pool), begin_(begin), pages_((end - begin) / ShadowPage::kBytes + 1) {}
  ~ShadowStretch() { Clear(); }
  ShadowStretch(const ShadowStretch&) = delete;
  ShadowStretch& operator=(const ShadowStretch&) = delete;

  void Clear();
  // Returns the page for offset `at` of the range, with cells of at most `width` bytes. Returns
  // null if too many pages are in use.
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
