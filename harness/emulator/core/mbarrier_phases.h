// Tells arrivals at mbarriers by which warps wait for each other from those that keep a number.
//
// Warps that arrive at one object, each once or twice in a phase, until the phase ends, keep no
// data in the object. A GPU counts nothing, and they cost nothing here. But the arrivals that an
// object has are a number of up to 20 bits, which a program can read again. So all other arrivals
// are accesses to memory: what they cost is kept until it is known what became of their phase.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "emulator/core/memory_site.h"

namespace warpcheck::emulator {

class MbarrierPhases {
 public:
  // Notes that lanes of a warp have arrived together at the object, whose offset in shared memory
  // is `object`. `cost` belongs to `tally`, which must live until Finish.
  void Arrived(std::uint64_t object, std::uint32_t warp, const Tally& cost, Tally& tally);
  // Notes that lanes gave numbers to the object: then its phase keeps a number.
  void Numbered(std::uint64_t object) { phases_[object].numbered = true; }
  // Notes that a phase of the object has ended.
  void Ended(std::uint64_t object);
  // Adds the cost of the arrivals in phases that have not ended. The block has ended.
  void Finish();
  // Forgets all phases.
  void Clear() { phases_.clear(); }

 private:
  struct Phase {
    std::uint32_t warps = 0;  // the warps that have arrived, one bit each
    std::uint32_t arrivals = 0;
    bool numbered = false;
    std::vector<std::pair<Tally*, Tally>> costs{};  // by instruction
  };
  static void Add(const Phase& phase);
  static bool IsAWait(const Phase& phase);

  std::map<std::uint64_t, Phase> phases_;  // by object
};

}  // namespace warpcheck::emulator
