// SpeculativeMemory is global memory as seen by one of several threads that run a launch together:
// the bytes from before the launch, and in copies of its own the bytes that this thread has written
// since. Written bytes are marked, so that the threads can be compared at the end.
//
// Bytes that are read can be marked too. Most kernels do not need that, because they read some
// allocations and write others. Then only the use of each allocation is noted, and reads cost
// nothing.
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

// A bit for each byte of a page of 4096 bytes: 64 lines of 64 bytes.
struct ByteMarks {
  using Lines = std::array<std::uint64_t, 64>;

  Lines read = {};
  Lines written = {};
};

// The marks of a page of 4096 bytes: one bit for each line. They are stored side by side, apart
// from the marks for bytes, so that going over all pages is fast.
struct PageMarks {
  static constexpr std::uint64_t kBytes = 4096;
  static constexpr std::uint64_t kLineBytes = 64;

  ByteMarks* bytes = nullptr;  // null if the thread has not accessed the page
  std::uint64_t seen = 0;      // lines in which the thread has read a byte
  std::uint64_t dirty = 0;     // lines in which the thread has written a byte
  std::uint64_t complete = 0;  // lines whose bytes are all in the copy, written or not
};

// A thread's view of one allocation.
class SpeculativeView {
 public:
  SpeculativeView(const Allocation& allocation, bool tracks_writes);

  // ForLoad and ForStore note an access, and return the host address that the access must use for
  // the allocation's first byte. `body` receives a function, which it calls with (offset, bytes) of
  // each range.
  template <class Body>
  std::byte* ForLoad(Body body);
  template <class Body>
  std::byte* ForStore(Body body);

  bool Shows(const Allocation& allocation) const {
    return main_ == allocation.host && bytes_ == allocation.bytes;
  }
  std::uint64_t copy_bytes() const { return copy_ == nullptr ? 0 : span_; }
  // Notes a read or a write of the allocation; use it only if reads are not marked by byte. Returns
  // false if the allocation has now been both read and written.
  bool NoteUse(bool reads) {
    (reads ? read_ : written_) = true;
    return !read_ || !written_;
  }
  // Returns true if one view has noted reads, and the other has noted writes.
  bool Mixes(const SpeculativeView& other) const {
    return (read_ && other.written_) || (written_ && other.read_);
  }
  // Returns true if one thread has accessed bytes that the other wrote, as far as bytes are marked.
  bool Meets(const SpeculativeView& other) const;
  // Writes the bytes that this thread has written into device memory.
  void Merge() const;
  // Forgets all marks.
  void Clear();

 private:
  struct Release {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  // Marks the bytes of a range in `lines` of their pages. With `kWrites`, also marks their lines as
  // dirty. Returns true if one of these lines was dirty before.
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
  // Copies the bytes that the thread has not written, in the lines of a range.
  void Complete(std::uint64_t offset, std::uint64_t bytes);
  // Copies bytes of the allocation, and their marks (DeviceMemory::WrittenBehind).
  void CopyBytes(std::byte* to, const std::byte* from, std::uint64_t begin,
                 std::uint64_t count) const;
  void MergePage(std::uint64_t at, const PageMarks& page) const;

  std::byte* main_;
  std::uint64_t bytes_;
  bool tracks_writes_;
  bool read_ = false, written_ = false;  // the uses that NoteUse has noted
  // The number of bytes at main_: the allocation's bytes, and their marks.
  std::uint64_t span_;
  std::uint64_t marks_;  // the offset of those marks from main_
  // The thread's copy, with the layout of main_; null until the thread writes.
  std::unique_ptr<std::byte, Release> copy_;
  std::vector<PageMarks> pages_;
  std::vector<std::uint64_t> touched_;  // numbers of the pages that the thread has touched
  std::deque<ByteMarks> made_;          // the first touched_.size() of them are in use
};

class SpeculativeMemory {
 public:
  // Starts a launch, and forgets the one before. If `by_byte` is set, reads are marked by byte. If
  // not, the caller must call NoteUse for each access.
  void Begin(const DeviceMemory& memory, bool by_byte);
  bool by_byte() const { return by_byte_; }
  // Returns the view of the allocation that begins at `begin`.
  SpeculativeView& ViewOf(DeviceAddress begin) {
    SpeculativeView*& recent = recent_[(begin >> 24) % recent_.size()].view;
    DeviceAddress& at = recent_[(begin >> 24) % recent_.size()].begin;
    if (recent == nullptr || at != begin) [[unlikely]] {
      recent = &Find(begin);
      at = begin;
    }
    return *recent;
  }
  // Returns true if an allocation was both read and written, by one thread or by two. Call it if
  // reads are not marked by byte.
  static bool Mix(std::span<const SpeculativeMemory* const> parts);
  // Returns true if two threads have accessed the same bytes and one of them wrote.
  static bool Meet(std::span<const SpeculativeMemory* const> parts);
  void Merge() const;
  // Ends a launch, and frees large copies.
  void End();

 private:
  struct Recent {
    DeviceAddress begin = 0;
    SpeculativeView* view = nullptr;
  };
  SpeculativeView& Find(DeviceAddress begin);
  // Returns true if the test is true for two parts' views of an allocation. With `with_itself`,
  // also compares a view with itself.
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
