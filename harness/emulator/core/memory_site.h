// These types are the state of memory instructions and basic blocks while a launch runs: what they
// remember, and what they have counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <iterator>
#include <optional>
#include <utility>

#include "device/lanes.h"
#include "device/launch_record.h"
#include "emulator/code/memory_info.h"
#include "hardware/geometry.h"

namespace warpcheck::emulator {

class SpeculativeView;  // defined in emulator/memory/speculative_memory.h

// The counts of one memory instruction in one kind of memory.
struct Tally {
  std::uint64_t requests = 0;
  std::uint64_t cost = 0;  // sectors, wavefronts or passes
  std::uint64_t ideal = 0;
  std::uint64_t lanes = 0;  // the number of lanes that took part, added up over all requests
  // The bytes that were read from a texture, or copied in bulk; other accesses move lanes * width.
  std::uint64_t bytes = 0;

  Tally& operator+=(const Tally& one) {
    requests += one.requests;
    cost += one.cost;
    ideal += one.ideal;
    lanes += one.lanes;
    bytes += one.bytes;
    return *this;
  }
};

// Returns the bytes that lanes loaded, stored or updated; the bytes of every lane count.
inline std::uint64_t GlobalBytes(const MemoryInfo& info, const Tally& global) {
  return info.counting == Counting::kTexture ? global.bytes : global.lanes * info.bytes;
}

// The memories that an instruction counts apart.
enum class TallyOf : std::uint8_t {
  kGlobal,
  kShared,
  kConstant,  // ld.const, and loads of kernel parameters; `cost` counts passes
  kLocal,
  // Counting says what this tally counts: requests of textures, surfaces, queries and hints;
  // mbarriers, where `cost` counts passes; bulk copies, with `bytes`.
  kOther,
};
inline constexpr std::size_t kTallies = 5;

// The accesses of one memory instruction to one allocation of global memory.
struct AllocationTally {
  std::uint64_t begin = 0;  // where the allocation begins; 0 stands for all other places
  Tally alone;              // accesses whose lanes all lie in this allocation
  Tally shared;             // the part of this allocation in accesses to several
};

// An access, as a memory instruction remembers it. As long as the differences between the lanes'
// addresses repeat, one range test checks all lanes, and the costs are known: they depend only on
// the differences and on the first address modulo the sector (or bank word).
struct CachedAccess {
  // The differences of all lanes from the lowest active lane's address, for address registers of 8
  // and of 4 bytes.
  alignas(64) std::array<std::uint64_t, kLanes> delta = {};
  alignas(64) std::array<std::uint32_t, kLanes> delta32 = {};
  LaneMask mask = 0;  // 0 if no access is remembered
  std::uint32_t pattern =
      0;  // a number that identifies this mask and these differences in this launch
  bool contiguous = false;  // all lanes take part, each right after the one before
  bool uniform = false;     // all lanes of the mask have one address
  // Says how each run of eight lanes lies, if all lanes take part.
  enum class Run : std::uint8_t { kScattered, kContiguous, kUniform };
  std::array<Run, kLanes / 8> runs = {};
  std::uint32_t phase_mask = 0;
  std::uint64_t before = 0;          // bytes accessed below the lowest active lane's address
  std::uint64_t after = 0;           // bytes accessed from that address on
  std::uint64_t below = 0;           // bytes below that address that must be safe
  std::uint64_t above = 0;           // bytes from that address on that must be safe
  std::uint64_t begin = 0, end = 0;  // the range of addresses that are safe
  std::byte* host = nullptr;         // the host's address of `begin`
  // The view of the allocation. It is set in a part of a launch that must note accesses
  // (speculative_memory.h).
  SpeculativeView* view = nullptr;
  bool tell = false;  // true if the view or the observers must be told of every access
  // Costs by address & phase_mask; 0 if unknown.
  std::array<std::uint16_t, kSectorBytes> cost = {}, ideal = {};
  // Points to one of MemorySite::tallies, or into MemorySite::allocations.
  Tally* tally = nullptr;
  // Points to a sum of bytes that were moved: Launch::moved, or MemorySite::moved_elsewhere.
  std::uint64_t* moved = nullptr;
};

// The state of one memory instruction in a launch. It remembers its last access, and the last one
// by other lanes, because a warp at an edge and a warp inside often take turns.
struct MemorySite {
  // Exchanges the two accesses if the earlier one was made by these lanes. Returns whether it was.
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

  // Returns the counts of the allocation that begins there. An instruction keeps kMostAllocations;
  // further ones are counted as other places.
  AllocationTally& Of(std::uint64_t begin) {
    for (AllocationTally& one : allocations) {
      if (one.begin == begin) return one;
    }
    if (begin != 0 && std::distance(allocations.begin(), allocations.end()) > kMostAllocations) {
      return Of(0);
    }
    return allocations.emplace_front(AllocationTally{.begin = begin, .alone = {}, .shared = {}});
  }
  static constexpr std::ptrdiff_t kMostAllocations = 16;

  // Returns the counts of accesses to the allocation that begins there: its own counts if the
  // launch counts by allocation, else the counts of all global memory.
  Tally& GlobalTally(std::uint64_t begin, bool by_allocation) {
    return by_allocation ? Of(begin).alone : tallies[static_cast<std::size_t>(TallyOf::kGlobal)];
  }

  Tally& Of(TallyOf memory) { return tallies[static_cast<std::size_t>(memory)]; }

  // Returns all counts of global memory.
  Tally Global() const {
    Tally sum = tallies[static_cast<std::size_t>(TallyOf::kGlobal)];
    for (const AllocationTally& one : allocations) sum += one.alone;
    return sum;
  }

  CachedAccess last;
  CachedAccess earlier;
  std::array<Tally, kTallies> tallies = {};  // by TallyOf
  // Counts by allocation, if the launch has them (Options::by_allocation). What `alone` counts here
  // is not counted in `tallies`.
  std::forward_list<AllocationTally> allocations;
  std::uint64_t moved_elsewhere = 0;  // bytes moved in other memory than global memory
  bool is_of_shared = false;          // true if it is in Launch::sites_of_shared
  // The worst access to global and to shared memory, by AccessExample::Memory (IsWorse). An access
  // to global memory is kept only if it has an excess.
  std::array<std::optional<AccessExample>, 2> worst;
};

struct BlockStats {
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0;
  std::uint64_t divergent = 0;
  std::uint64_t uniform = 0;
};

}  // namespace warpcheck::emulator
