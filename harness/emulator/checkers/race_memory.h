// The pieces of memory that race_checker.cc watches during a launch.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/checkers/race_cells.h"
#include "emulator/checkers/shadow_memory.h"
#include "emulator/core/block.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Reads that may never matter. As long as nobody writes to a piece of memory, nothing can conflict
// with what is read there: reads are kept in short, and looked at only when somebody writes after
// all. Most never are: kernels read one array and write another.

class ReadLog {
 public:
  std::size_t size() const { return reads_.size(); }
  // Keeps a read; `window` is asked for the first one at a stamp only. False where it cannot be
  // kept in short.
  template <class MakeWindow>
  bool Add(const AccessEvent& event, Who who, Stamp now, MakeWindow window);
  void Clear();
  // Forgets all patterns too: those of another launch are numbered from the beginning.
  void ClearAll();

  // Calls body(access) for each, the oldest first. `begin`: of the memory, as events have it.
  template <class Body>
  void ForEach(std::uint64_t begin, Body body) const;

 private:
  // Of the lanes' offsets in the memory, from that of the lowest lane that takes part.
  using Pattern = std::array<std::uint32_t, kLanes>;
  static constexpr std::size_t kMostPatterns = std::size_t{1} << 15;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Read {
    Who who = 0;  // of lane 0
    LaneMask mask = 0;
    std::uint32_t offset = 0;  // of the lowest lane
    std::uint32_t pattern : 24 = 0;
    std::uint32_t shape : 2 = 0;
    std::uint32_t width : 6 = 0;  // log2 of the bytes of a lane
  };
  // Of the reads from number `first` on.
  struct Window {
    std::size_t first = 0;
    RaceWindow window;
  };
  struct Known {
    std::uint32_t number = 0;  // AccessEvent::pattern
    std::uint32_t index = 0;   // of patterns_
  };

  static bool Fits(const AccessEvent& event) {
    const bool odd = (event.info.bytes & (event.info.bytes - 1)) != 0;
    return event.end - event.begin <= ~std::uint32_t{0} && !odd;
  }
  // Of scattered lanes, whose lowest lies at `lowest`; kNone where there is no room.
  std::uint32_t PatternOf(const AccessEvent& event, std::uint64_t lowest) {
    const Known& known = known_[event.pattern % known_.size()];
    return event.pattern != 0 && known.number == event.pattern ? known.index
                                                               : NewPattern(event, lowest);
  }
  std::uint32_t NewPattern(const AccessEvent& event, std::uint64_t lowest);
  LaneAddresses AddressesOf(const Read& read, std::uint64_t begin) const;

  std::vector<Read> reads_;
  std::vector<Window> windows_;
  std::vector<Pattern> patterns_;
  std::array<Known, 64> known_ = {};  // by number % 64
};

template <class MakeWindow>
[[gnu::always_inline]] inline bool ReadLog::Add(const AccessEvent& event, Who who, Stamp now,
                                                MakeWindow window) {
  if (!Fits(event)) [[unlikely]]
    return false;
  const std::uint64_t lowest =
      event.addresses[static_cast<std::size_t>(std::countr_zero(event.mask))];
  const bool scattered = event.shape == AccessShape::kScattered;
  const std::uint32_t pattern = scattered ? PatternOf(event, lowest) : 0;
  if (pattern == kNone) [[unlikely]]
    return false;
  if (windows_.empty() || windows_.back().window.now != now) [[unlikely]]
    windows_.push_back({reads_.size(), window()});
  Read read;
  read.who = who;
  read.mask = event.mask;
  read.offset = static_cast<std::uint32_t>(lowest - event.begin);
  read.pattern = pattern & 0xFF'FFFFU;
  read.shape = static_cast<std::uint32_t>(event.shape) & 3U;
  read.width = static_cast<std::uint32_t>(std::countr_zero(event.info.bytes)) & 63U;
  reads_.push_back(read);
  return true;
}

template <class Body>
void ReadLog::ForEach(std::uint64_t begin, Body body) const {
  auto window = windows_.begin();
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    if (window + 1 != windows_.end() && window[1].first == i) ++window;
    const LaneAddresses addresses = AddressesOf(reads_[i], begin);
    RaceAccess access;
    access.mask = reads_[i].mask;
    access.bytes = std::uint32_t{1} << reads_[i].width;
    access.shape = static_cast<AccessShape>(reads_[i].shape);
    access.reads = true;
    access.who = reads_[i].who;
    access.window = window->window;
    access.addresses = &addresses;
    body(access);
  }
}

// Which copy under way is at each word of a stretch of memory (race_copies.h): most often none.

class CopyWords {
 public:
  bool empty() const { return pages_.empty(); }
  // The number of a copy at one of these bytes; 0: there is none. Offsets are from the beginning of
  // the stretch.
  std::uint32_t At(std::uint64_t offset, std::uint32_t bytes) const;
  // Of copies at one word the last is known.
  void Put(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy);
  // Where that copy is.
  void Remove(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy);

 private:
  static constexpr std::uint64_t kWordBytes = 4;  // of which copies have whole ones
  static constexpr std::uint64_t kPageWords = 1024;
  struct Page {
    std::array<std::uint32_t, kPageWords> copies = {};
    std::uint32_t used = 0;  // words that have a copy
  };

  std::unordered_map<std::uint64_t, Page> pages_;  // those with a word in use
};

// An allocation, or the shared memory of a block while it runs.
struct WatchedMemory {
  WatchedMemory(ShadowPool& pool, std::uint64_t begin, std::uint64_t end)
      : shadow(pool, begin, end) {}

  ShadowStretch shadow;
  CopyWords read_by_copies, written_by_copies;  // that are under way: race_copies.h
  std::unique_ptr<ReadLog> put_off;
  std::size_t most_put_off = 0;
  bool written = false;  // or read otherwise, so that nothing is put off any more
};

class RaceMemory {
 public:
  void EndLaunch();
  // True where accesses were not looked at: there was no room for what they touch.
  bool Full() const { return pool_.refused(); }

  // `bytes`: of shared memory.
  WatchedMemory& SharedOf(const Block& block, std::uint64_t bytes) {
    if (current_block_ != &block) [[unlikely]]
      EnterShared(block, bytes);
    return *current_shared_;
  }
  // The one that an access goes to.
  WatchedMemory& GlobalOf(const AccessEvent& event) {
    WatchedMemory*& recent = recent_[(event.begin >> 24) % recent_.size()];
    if (recent == nullptr || recent->shadow.begin() != event.begin) [[unlikely]]
      recent = &FindGlobal(event);
    return *recent;
  }

 private:
  // Reads that are put off: 16 bytes each, and what shared memory has is soon forgotten.
  static constexpr std::size_t kMostOfShared = std::size_t{1} << 11;
  static constexpr std::size_t kMostOfGlobal = std::size_t{1} << 20;
  static constexpr std::size_t kKeptLogs = 8;

  void EnterShared(const Block& block, std::uint64_t bytes);
  WatchedMemory& FindGlobal(const AccessEvent& event);
  std::unique_ptr<WatchedMemory> Make(std::uint64_t begin, std::uint64_t end, std::size_t most);
  void GiveBack(WatchedMemory& memory);

  ShadowPool pool_;
  std::vector<std::unique_ptr<ReadLog>> free_logs_;  // at most kKeptLogs, to be used again
  std::map<const Block*, std::unique_ptr<WatchedMemory>> shared_;
  const Block* current_block_ = nullptr;
  WatchedMemory* current_shared_ = nullptr;
  std::unordered_map<std::uint64_t, std::unique_ptr<WatchedMemory>> global_;  // by begin
  std::array<WatchedMemory*, 16> recent_ = {};
};

}  // namespace warpcheck::emulator
