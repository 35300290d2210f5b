// Reads of shared memory that may never matter. Until a block writes, between two of its barriers,
// nothing can conflict with what it reads: reads are kept in short, and forgotten at the barrier.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/observer.h"
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

  bool full() const { return reads_.size() == kMost; }
  void Add(const Read& read, const LaneAddresses& addresses) {
    reads_.push_back(read);
    offsets_.resize(offsets_.size() + kLanes);
    std::uint32_t* to = offsets_.data() + offsets_.size() - kLanes;
    for (std::size_t i = 0; i < kLanes; ++i) to[i] = static_cast<std::uint32_t>(addresses[i]);
  }
  void Clear() { reads_.clear(), offsets_.clear(); }

  // Calls body(read, addresses) for each, the oldest first.
  template <class Body>
  void ForEach(Body body) const {
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      LaneAddresses addresses;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        addresses[lane] = offsets_[i * kLanes + lane];
      }
      body(reads_[i], addresses);
    }
  }

 private:
  std::vector<Read> reads_;
  std::vector<std::uint32_t> offsets_;
};

}  // namespace warpcheck::emulator
