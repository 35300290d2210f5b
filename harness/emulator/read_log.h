// Reads of shared memory that may never matter. Until a block writes, between two of its barriers,
// nothing can conflict with what it reads: reads are kept in short, and forgotten at the barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/observer.h"
#include "emulator/race_cells.h"
#include "emulator/shadow_memory.h"

namespace warpcheck::emulator {

class ReadLog {
 public:
  struct Read {
    Stamp at = 0;
    Who who = 0;  // of lane 0
    LaneMask mask = 0;
    std::uint32_t bytes = 0;  // a lane
    AccessShape shape = AccessShape::kScattered;
  };
  static constexpr std::size_t kMost = 2048;

  // Narrower reads are not put off: kept are words.
  static bool Takes(std::uint32_t bytes) { return bytes >= 4; }
  bool full() const { return count_ == kMost; }
  void Add(const Read& read, const LaneAddresses& addresses) {
    if (reads_.empty()) reads_.resize(kMost), words_.resize(kMost * kLanes);
    reads_[count_] = read;
    PackWords(addresses.data(), words_.data() + count_ * kLanes);
    ++count_;
  }
  void Clear() { count_ = 0; }

  // Calls body(read, addresses) for each, the oldest first.
  template <class Body>
  void ForEach(Body body) const {
    for (std::size_t i = 0; i < count_; ++i) {
      LaneAddresses addresses;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        addresses[lane] = std::uint64_t{words_[i * kLanes + lane]} * 4;
      }
      body(reads_[i], addresses);
    }
  }

 private:
  std::size_t count_ = 0;
  std::vector<Read> reads_;
  std::vector<std::uint16_t> words_;  // 32 a read
};

}  // namespace warpcheck::emulator
