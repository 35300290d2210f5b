// One memory access of a warp: addresses, checks, counting, and what is remembered of it.
//
// Most accesses are like the one before: the same lanes, at the same distances from each other,
// elsewhere in the same allocation. A memory instruction remembers its last two (MemorySite), with
// the stretch of memory in which one range test allows them all and what they cost: that is the
// quick way (lane_memory.h). Everything else comes here: each lane's address is looked up
// (core/memory_region.h), what may not be becomes a finding (wrong_access.h), what may is counted
// (access_cost.h) and told to the observers, and what can be repeated is remembered. In a part of a
// launch on several threads, the bytes are the part's own (memory_access.h).
#pragma once

#include "emulator/core/warp.h"
#include "emulator/memory/speculative_memory.h"

namespace warpcheck::emulator {

// Checks, counts and observes the access of the lanes of `mask`; at[lane] is the host address of
// each lane that may go on, and the result names those. The others have a finding: what they read
// is poison (all bits set), what they write is dropped. Remembers the pattern in the step's
// MemorySite where it can be repeated.
LaneMask Resolve(std::byte* frame, const Step& step, LaneMask mask, Warp& warp,
                 std::byte* (&at)[kLanes]);

// The address of `lane`, before any check.
[[gnu::always_inline]] inline std::uint64_t AddressOf(const std::byte* frame, const Step& step,
                                                      std::uint32_t address_bytes, int lane) {
  if (address_bytes == 8) {
    return reinterpret_cast<const std::uint64_t*>(frame + step.a)[lane] + step.data;
  }
  return std::uint32_t(reinterpret_cast<const std::uint32_t*>(frame + step.a)[lane] + step.data);
}

// Where the accesses of a warp to global memory go in a part of a launch (speculative_memory.h).

// Notes a load or a store of the lanes of `mask`, and gives the host's bytes behind the first of
// the allocation for it. As the site remembers it, its lowest lane at `offset` of the allocation:
std::byte* HostInPart(const CachedAccess& access, std::uint64_t offset, LaneMask mask,
                      const MemoryInfo& info);
// The same from the addresses of 32 lanes, in an allocation that begins at `begin`.
std::byte* HostInPart(SpeculativeView& view, const std::uint64_t* addresses, std::uint64_t begin,
                      LaneMask mask, const MemoryInfo& info);

}  // namespace warpcheck::emulator
