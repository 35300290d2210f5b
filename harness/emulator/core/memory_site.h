// What memory instructions and blocks of code remember and have counted while a launch runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "device/lanes.h"
#include "device/launch_record.h"

namespace warpcheck::emulator {

class SpeculativeView;  // emulator/memory/speculative_memory.h

// What was counted for one memory instruction in one kind of memory.
struct Tally {
  std::uint64_t requests = 0;
  std::uint64_t cost = 0;  // sectors, or wavefronts
  std::uint64_t ideal = 0;
  std::uint64_t lanes = 0;  // that took part, over all requests
  std::uint64_t bytes = 0;  // that they read, of a texture: those of others are lanes * width

  Tally& operator+=(const Tally& one) {
    requests += one.requests;
    cost += one.cost;
    ideal += one.ideal;
    lanes += one.lanes;
    bytes += one.bytes;
    return *this;
  }
};
enum class TallyOf : std::uint8_t { kGlobal, kShared, kLocal };

// An access as a memory instruction remembers it. While the lane-to-lane differences of the
// addresses repeat, one range test checks them all, and the costs are known: they depend on the
// differences and on the first address modulo the sector (or bank word) alone.
struct CachedAccess {
  // From the lowest active lane's address, as registers of 8 and of 4 bytes have it.
  alignas(64) std::array<std::uint64_t, kLanes> delta = {};
  alignas(64) std::array<std::uint32_t, kLanes> delta32 = {};
  LaneMask mask = 0;          // 0: nothing remembered
  std::uint32_t pattern = 0;  // a number of the launch for this mask and these differences
  bool contiguous = false;    // all lanes, each next to the one before
  bool uniform = false;       // all lanes of the mask at one address
  // How eight lanes each lie, where all lanes take part.
  enum class Run : std::uint8_t { kScattered, kContiguous, kUniform };
  std::array<Run, kLanes / 8> runs = {};
  std::uint32_t phase_mask = 0;
  std::uint64_t before = 0;          // bytes touched below the lowest lane's address
  std::uint64_t after = 0;           // and from it on
  std::uint64_t below = 0;           // bytes that have to be safe below the lowest lane's address
  std::uint64_t above = 0;           // and from it on
  std::uint64_t begin = 0, end = 0;  // the addresses that are safe
  std::byte* host = nullptr;         // behind `begin`
  // Of global memory, in a part of a launch that has to note the access (speculative_memory.h).
  SpeculativeView* view = nullptr;
  bool tell = false;                                    // that view, or observers, of every access
  std::array<std::uint16_t, 32> cost = {}, ideal = {};  // by address & phase_mask; cost 0: unknown
  Tally* tally = nullptr;                               // of MemorySite::tallies
};

// What one memory instruction remembers, and has counted: its last access, and the last with other
// lanes. A warp at an edge and one inside often take turns.
struct MemorySite {
  // Makes the earlier access the last one, if it was by these lanes.
  bool TurnTo(LaneMask lanes) {
    if (earlier.mask != lanes) return false;
    std::swap(last, earlier);
    return true;
  }
  void Forget() { last.mask = earlier.mask = 0; }
  bool Remembers(TallyOf memory) const {
    const Tally* const its = &tallies[static_cast<std::size_t>(memory)];
    return last.tally == its || earlier.tally == its;
  }

  CachedAccess last;
  CachedAccess earlier;
  std::array<Tally, 3> tallies = {};
  // The worst access to global and to shared memory, by AccessExample::Memory: that with the
  // largest excess, and the least of those. To global memory none without excess.
  std::array<std::optional<AccessExample>, 2> worst;
};

struct BlockStats {
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0;
  std::uint64_t divergent = 0;
  std::uint64_t uniform = 0;
};

}  // namespace warpcheck::emulator
