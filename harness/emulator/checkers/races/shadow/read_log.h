// ReadLog is a log of deferred reads. As long as nobody writes to a piece of memory, reads of it do
// not conflict. So they are only logged, and replayed into the access history when a thread writes
// to the memory later. Most logs are never replayed, because kernels read one array and write
// another.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "emulator/checkers/races/shadow/access.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class ReadLog {
 public:
  std::size_t size() const { return reads_.size(); }
  // Logs a read. Calls `window()` only for the first read of each epoch. Returns false, and logs
  // nothing, if the log cannot represent the read.
  template <class MakeWindow>
  bool Add(const AccessEvent& event, AccessId id, Epoch now, MakeWindow window);
  void Clear();
  // Clears the log at the end of a launch, whose patterns become invalid.
  void ClearAll();

  // Calls body(access) for each read, the oldest first. `begin` is the address at which the memory
  // begins, as in events.
  template <class Body>
  void ForEach(std::uint64_t begin, Body body) const;

 private:
  // The offset of each lane in the memory, relative to the lowest lane that takes part.
  using Pattern = std::array<std::uint32_t, kLanes>;
  static constexpr std::size_t kMostPatterns = std::size_t{1} << 15;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Read {
    AccessId id = 0;  // the access id of lane 0
    LaneMask mask = 0;
    std::uint32_t offset = 0;  // the offset of the lowest lane that takes part, in the memory
    std::uint32_t pattern : 24 = 0;
    std::uint32_t shape : 2 = 0;
    std::uint32_t width : 6 = 0;  // log2 of the bytes that a lane reads
  };
  // The window of the reads, starting with the index `first`.
  struct Window {
    std::size_t first = 0;
    RaceWindow window;
  };
  struct Known {
    std::uint32_t number = 0;  // AccessEvent::pattern
    std::uint32_t index = 0;   // the index in patterns_
  };

  static bool Fits(const AccessEvent& event) {
    const bool odd = (event.info.bytes & (event.info.bytes - 1)) != 0;
    return event.end - event.begin <= ~std::uint32_t{0} && !odd;
  }
  // Returns the index of the pattern of an access with scattered lanes, whose lowest lane lies at
  // `lowest`. Returns kNone if there is no room for another pattern.
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
  std::array<Known, 64> known_ = {};  // indices of patterns, by number % 64
};

template <class MakeWindow>
[[gnu::always_inline]] inline bool ReadLog::Add(const AccessEvent& event, AccessId id, Epoch now,
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
  read.id = id;
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
    access.id = reads_[i].id;
    access.window = window->window;
    access.addresses = &addresses;
    body(access);
  }
}

}  // namespace warpcheck::emulator
