// Global memory as one of several threads sees it that run a launch together: what was there before
// the launch, and what this thread has written since, in copies of its own. Which bytes it has
// written is kept, so that all of them can be compared in the end.
//
// Of reads, too, every byte can be kept. Most kernels do not need that: they read some allocations
// and write others, so that it is enough to know which. Then reads cost nothing.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {

// A bit for each of 4096 bytes, in 64 lines of 64 bytes.
struct ByteMarks {
  using Lines = std::array<std::uint64_t, 64>;

  Lines read = {};
  Lines written = {};
};

// Marks for 4096 bytes of an allocation, a bit a line. They lie side by side, apart from those for
// bytes, so that those of all pages are soon at hand.
struct PageMarks {
  static constexpr std::uint64_t kBytes = 4096;
  static constexpr std::uint64_t kLineBytes = 64;

  ByteMarks* bytes = nullptr;  // null: not touched
  std::uint64_t seen = 0;      // lines of which the thread has read a byte
  std::uint64_t dirty = 0;     // lines of which the thread has written a byte
  std::uint64_t complete = 0;  // lines of the copy that have all bytes, written or not
};

// One allocation.
class SpeculativeView {
 public:
  SpeculativeView(const Allocation& allocation, bool tracks_writes);

  // Note an access and give the host's bytes behind the allocation's first that it goes to. `body`
  // calls what it is given with (offset in the allocation, bytes) of each stretch.
  template <class Body>
  std::byte* ForLoad(Body body);
  template <class Body>
  std::byte* ForStore(Body body);

  bool Shows(const Allocation& allocation) const {
    return main_ == allocation.host && bytes_ == allocation.bytes;
  }
  std::uint64_t copy_bytes() const { return copy_ == nullptr ? 0 : span_; }
  // Where reads are not kept by byte: the allocation is read, or written. False if it now is both.
  bool NoteUse(bool reads) {
    (reads ? read_ : written_) = true;
    return !read_ || !written_;
  }
  // Whether one has noted reads, and the other writes.
  bool Mixes(const SpeculativeView& other) const {
    return (read_ && other.written_) || (written_ && other.read_);
  }
  // Whether this thread has touched bytes that the other wrote, or the other way round, as far as
  // bytes are kept.
  bool Meets(const SpeculativeView& other) const;
  // Puts what was written into the memory of the device.
  void Merge() const;
  // Forgets all marks.
  void Clear();

 private:
  struct Release {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  // Marks the bytes of a stretch in `lines` of their pages. True if the thread has written to a
  // line that has one of them; with `kWrites` it has now.
  template <ByteMarks::Lines ByteMarks::*lines, bool kWrites>
  bool Mark(std::uint64_t offset, std::uint64_t bytes);
  PageMarks& PageAt(std::uint64_t number) {
    PageMarks& page = pages_[number];
    if (page.bytes == nullptr) [[unlikely]]
      Add(number);
    return page;
  }
  void Add(std::uint64_t number);
  void MakeCopy();
  // Copies what is not written of the lines of a stretch.
  void Complete(std::uint64_t offset, std::uint64_t bytes);
  // Of the allocation, and the marks of those bytes (DeviceMemory::WrittenBehind).
  void CopyBytes(std::byte* to, const std::byte* from, std::uint64_t begin,
                 std::uint64_t count) const;
  void MergePage(std::uint64_t at, const PageMarks& page) const;

  std::byte* main_;
  std::uint64_t bytes_;
  bool tracks_writes_;
  bool read_ = false, written_ = false;  // NoteUse
  std::uint64_t span_;                   // as much as lies behind main_: bytes and marks
  std::uint64_t marks_;                  // where those marks begin (DeviceMemory)
  std::unique_ptr<std::byte, Release>
      copy_;  // laid out like main_; null until something is written
  std::vector<PageMarks> pages_;
  std::vector<std::uint64_t> touched_;  // numbers of those that are
  std::deque<ByteMarks> made_;          // the first touched_.size() are in use
};

class SpeculativeMemory {
 public:
  // Before a launch: forgets the one before. `by_byte`: reads are kept by byte, else NoteUse has to
  // be called for each access.
  void Begin(const DeviceMemory& memory, bool by_byte);
  bool by_byte() const { return by_byte_; }
  // Of the allocation that begins at `begin`.
  SpeculativeView& ViewOf(DeviceAddress begin) {
    SpeculativeView*& recent = recent_[(begin >> 24) % recent_.size()].view;
    DeviceAddress& at = recent_[(begin >> 24) % recent_.size()].begin;
    if (recent == nullptr || at != begin) [[unlikely]] {
      recent = &Find(begin);
      at = begin;
    }
    return *recent;
  }
  // Whether an allocation was read and written, by one or by two, where reads are not kept by byte.
  static bool Mix(std::span<const SpeculativeMemory* const> parts);
  // Whether any two have touched the same bytes, and one wrote them.
  static bool Meet(std::span<const SpeculativeMemory* const> parts);
  void Merge() const;
  // After a launch: gives back large copies.
  void End();

 private:
  struct Recent {
    DeviceAddress begin = 0;
    SpeculativeView* view = nullptr;
  };
  SpeculativeView& Find(DeviceAddress begin);
  // Whether the test holds for a view and another part's of the same allocation, or the same view.
  static bool AnyPair(std::span<const SpeculativeMemory* const> parts, bool with_itself,
                      bool (SpeculativeView::*test)(const SpeculativeView&) const);

  const DeviceMemory* memory_ = nullptr;
  bool by_byte_ = true;
  std::map<DeviceAddress, SpeculativeView> views_;
  std::array<Recent, 16> recent_ = {};
};

template <ByteMarks::Lines ByteMarks::*lines, bool kWrites>
[[gnu::always_inline]] inline bool SpeculativeView::Mark(std::uint64_t offset,
                                                         std::uint64_t bytes) {
  constexpr std::uint64_t kAll = ~std::uint64_t{0};
  constexpr std::uint64_t kLines = PageMarks::kBytes / PageMarks::kLineBytes;
  const std::uint64_t end = offset + bytes - 1;
  const std::uint64_t last = end / PageMarks::kLineBytes;
  std::uint64_t first = offset / PageMarks::kLineBytes;
  std::uint64_t head = kAll << offset % PageMarks::kLineBytes;
  const std::uint64_t tail = kAll >> (63 - end % PageMarks::kLineBytes);
  std::uint64_t dirty = 0;
  for (;;) {
    PageMarks& page = PageAt(first / kLines);
    const bool ends = first / kLines == last / kLines;
    const std::uint64_t here = first % kLines;
    const std::uint64_t stop = ends ? last % kLines : kLines - 1;
    const std::uint64_t bits = kAll << here & kAll >> (63 - stop);
    dirty |= page.dirty & bits;
    (kWrites ? page.dirty : page.seen) |= bits;
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): PageAt has added them
    ByteMarks::Lines& marks = page.bytes->*lines;
    if (here == stop) {
      marks[here] |= ends ? head & tail : head;
    } else {
      marks[here] |= head;
      for (std::uint64_t line = here + 1; line < stop; ++line) marks[line] = kAll;
      marks[stop] |= ends ? tail : kAll;
    }
    if (ends) return dirty != 0;
    first += kLines - here;
    head = kAll;
  }
}

template <class Body>
[[gnu::always_inline]] inline std::byte* SpeculativeView::ForLoad(Body body) {
  bool dirty = false;
  body([&](std::uint64_t offset, std::uint64_t bytes) {
    dirty |= Mark<&ByteMarks::read, false>(offset, bytes);
  });
  if (!dirty) [[likely]]
    return main_;
  body([&](std::uint64_t offset, std::uint64_t bytes) { Complete(offset, bytes); });
  return copy_.get();
}

template <class Body>
[[gnu::always_inline]] inline std::byte* SpeculativeView::ForStore(Body body) {
  if (copy_ == nullptr) [[unlikely]]
    MakeCopy();
  body([&](std::uint64_t offset, std::uint64_t bytes) {
    Mark<&ByteMarks::written, true>(offset, bytes);
  });
  return copy_.get();
}

}  // namespace warpcheck::emulator
