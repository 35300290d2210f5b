// Carries out one memory access of a warp: looks up its addresses, checks it, counts it, and
// remembers it.
//
// Most accesses are like the one before: the same lanes, at the same distances from each other,
// elsewhere in the same allocation. A memory instruction remembers its last two accesses
// (MemorySite), with their costs and the range of memory in which one test allows all lanes. This
// is the fast path (lane_memory.h). All other accesses come here. Each lane's address is looked up
// (core/memory_region.h). A wrong access becomes a finding (wrong_access.h). A right one is counted
// (access_cost.h), told to the observers, and remembered if it can be repeated. If several threads
// run a launch, each part has its own bytes (HostInPart).
#pragma once

#include "emulator/core/warp.h"
#include "emulator/memory/speculative_memory.h"

namespace warpcheck::emulator {

// Checks, counts and observes the access of the lanes of `mask`. Returns the lanes that may
// continue, and their host addresses in `at`. The other lanes have a finding: they must read poison
// (all bits set), and their writes are dropped. Remembers the access in the step's MemorySite if it
// can be repeated.
LaneMask Resolve(std::byte* frame, const Step& step, LaneMask mask, Warp& warp,
                 std::byte* (&at)[kLanes]);

// Returns the address of `lane`, without checking it.
[[gnu::always_inline]] inline std::uint64_t AddressOf(const std::byte* frame, const Step& step,
                                                      std::uint32_t address_bytes, int lane) {
  if (address_bytes == 8) {
    return reinterpret_cast<const std::uint64_t*>(frame + step.a)[lane] + step.data;
  }
  return std::uint32_t(reinterpret_cast<const std::uint32_t*>(frame + step.a)[lane] + step.data);
}

// Notes a load or store of global memory in a part of a launch (speculative_memory.h). Returns the
// host address that stands for the allocation's first byte in this part. The lowest lane is at
// `offset` in the allocation, and `access` remembers where the others lie.
std::byte* HostInPart(const CachedAccess& access, std::uint64_t offset, LaneMask mask,
                      const MemoryInfo& info);
// Does the same with the addresses of all lanes, in an allocation that begins at `begin`.
std::byte* HostInPart(SpeculativeView& view, const std::uint64_t* addresses, std::uint64_t begin,
                      LaneMask mask, const MemoryInfo& info);

}  // namespace warpcheck::emulator
