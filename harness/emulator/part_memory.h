// Global memory as one of several threads sees it that run a launch together: what was there before
// the launch, and what this thread has written since, in copies of its own. Which bytes it has read
// and written is kept, so that all of them can be compared in the end.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "emulator/device_memory.h"

namespace warpcheck::emulator {

// Marks for 4096 bytes of an allocation. A line is 64 bytes, a bit each.
struct PartPage {
  static constexpr std::uint64_t kBytes = 4096;
  static constexpr std::uint64_t kLineBytes = 64;
  using Lines = std::array<std::uint64_t, kBytes / kLineBytes>;

  std::uint64_t copied = 0;  // lines that the thread has a copy of
  bool writes = false;       // any byte
  Lines read = {};
  Lines written = {};
};

// One allocation.
class PartView {
 public:
  PartView(const Allocation& allocation, bool tracks_writes);

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
  // Whether this thread has touched bytes that the other wrote, or the other way round.
  bool Meets(const PartView& other) const;
  // Puts what was written into the memory of the device.
  void Merge() const;
  // Forgets all marks.
  void Clear();

 private:
  struct Release {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };

  // Calls body(page, line in it, bits of the line) for each line of a stretch.
  template <class Body>
  void EachLine(std::uint64_t offset, std::uint64_t bytes, Body body);
  PartPage& PageAt(std::uint64_t number) {
    PartPage*& page = pages_[number];
    if (page == nullptr) [[unlikely]]
      page = &Add(number);
    return *page;
  }
  PartPage& Add(std::uint64_t number);
  void MakeCopy();
  // Takes a line as it was before the launch.
  void TakeLine(PartPage& page, std::uint64_t at) {
    page.copied |= std::uint64_t{1} << (at / PartPage::kLineBytes % 64);
    CopyLine(at);
  }
  void CopyLine(std::uint64_t at);
  void MergeLine(std::uint64_t at, std::uint64_t bits) const;

  std::byte* main_;
  std::uint64_t bytes_;
  bool tracks_writes_;
  std::uint64_t span_;   // as much as lies behind main_: bytes and marks
  std::uint64_t marks_;  // where those marks begin (DeviceMemory)
  std::unique_ptr<std::byte, Release>
      copy_;                            // laid out like main_; null until something is written
  std::vector<PartPage*> pages_;        // null: not touched
  std::vector<std::uint64_t> touched_;  // numbers of those that are not
  std::deque<PartPage> made_;           // the first touched_.size() are in use
};

class PartMemory {
 public:
  // Before a launch: forgets the one before.
  void Begin(const DeviceMemory& memory);
  // Of the allocation that begins at `begin`.
  PartView& ViewOf(DeviceAddress begin) {
    PartView*& recent = recent_[(begin >> 24) % recent_.size()].view;
    DeviceAddress& at = recent_[(begin >> 24) % recent_.size()].begin;
    if (recent == nullptr || at != begin) [[unlikely]] {
      recent = &Find(begin);
      at = begin;
    }
    return *recent;
  }
  // Whether any two have touched the same bytes, and one wrote them.
  static bool Meet(std::span<const PartMemory* const> parts);
  void Merge() const;
  // After a launch: gives back large copies.
  void End();

 private:
  struct Recent {
    DeviceAddress begin = 0;
    PartView* view = nullptr;
  };
  PartView& Find(DeviceAddress begin);

  const DeviceMemory* memory_ = nullptr;
  std::map<DeviceAddress, PartView> views_;
  std::array<Recent, 16> recent_ = {};
};

template <class Body>
[[gnu::always_inline]] inline void PartView::EachLine(std::uint64_t offset, std::uint64_t bytes,
                                                      Body body) {
  const std::uint64_t end = offset + bytes;
  for (std::uint64_t at = offset & ~(PartPage::kLineBytes - 1); at < end;
       at += PartPage::kLineBytes) {
    const std::uint64_t first = offset > at ? offset - at : 0;
    const std::uint64_t past = end - at;
    std::uint64_t bits = ~std::uint64_t{0} << first;
    if (past < PartPage::kLineBytes) bits &= (std::uint64_t{1} << past) - 1;
    body(PageAt(at / PartPage::kBytes), at, bits);
  }
}

template <class Body>
[[gnu::always_inline]] inline std::byte* PartView::ForLoad(Body body) {
  std::uint64_t any = 0;
  std::uint64_t all = 1;
  body([&](std::uint64_t offset, std::uint64_t bytes) {
    EachLine(offset, bytes, [&](PartPage& page, std::uint64_t at, std::uint64_t bits) {
      const std::uint64_t line = at / PartPage::kLineBytes % 64;
      page.read[line] |= bits;
      const std::uint64_t copied = page.copied >> line & 1;
      any |= copied;
      all &= copied;
    });
  });
  if (any == 0) return main_;
  if (all == 0) {
    body([&](std::uint64_t offset, std::uint64_t bytes) {
      EachLine(offset, bytes, [&](PartPage& page, std::uint64_t at, std::uint64_t) {
        if ((page.copied >> (at / PartPage::kLineBytes % 64) & 1) == 0) TakeLine(page, at);
      });
    });
  }
  return copy_.get();
}

template <class Body>
[[gnu::always_inline]] inline std::byte* PartView::ForStore(Body body) {
  if (copy_ == nullptr) [[unlikely]]
    MakeCopy();
  body([&](std::uint64_t offset, std::uint64_t bytes) {
    EachLine(offset, bytes, [&](PartPage& page, std::uint64_t at, std::uint64_t bits) {
      const std::uint64_t line = at / PartPage::kLineBytes % 64;
      page.writes = true;
      page.written[line] |= bits;
      if ((page.copied >> line & 1) != 0) return;
      if (~bits == 0) {
        page.copied |= std::uint64_t{1} << line;
      } else {
        TakeLine(page, at);
      }
    });
  });
  return copy_.get();
}

}  // namespace warpcheck::emulator
