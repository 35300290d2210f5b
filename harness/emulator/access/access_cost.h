// Computes what an access of a warp adds to the counts of its instruction, and the example that is
// kept of it.
#pragma once

#include <span>

#include "device/launch_record.h"
#include "emulator/core/memory_region.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"
#include "hardware/geometry.h"

namespace warpcheck::emulator {

// Returns where an access to a region counts. An access that reaches no memory counts where it was
// meant to go.
TallyOf TallyFor(const MemoryInfo& info, Region::What what);

// Returns the cost of one request by `lanes`. All of them access the memory `where`.
Tally CostOf(const MemoryGeometry& geometry, const MemoryInfo& info, TallyOf where, LaneMask lanes,
             const LaneAddresses& addresses);

// Returns an access to global or shared memory as an example. `cost` is the result of CostOf for
// it.
AccessExample ExampleOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                        const LaneAddresses& addresses, const Tally& cost);

// The lanes of an access to global memory that lie in one allocation, or in none.
struct LanesOfAllocation {
  std::uint64_t begin = 0;  // where the allocation begins; 0 if there is none
  LaneMask lanes = 0;
};

// Adds one request to global memory to the counts of its instruction, by allocation. `cost` is the
// cost of all lanes together.
void AddByAllocation(MemorySite& site, const MemoryGeometry& geometry, const MemoryInfo& info,
                     std::span<const LanesOfAllocation> shares, const LaneAddresses& addresses,
                     const Tally& cost);

// Keeps the access as the site's example for `where` if it is worse than the example so far. Any
// access to shared memory can be an example, but an access to global memory only if it moves more
// sectors than its ideal. The example depends neither on the order of accesses nor on their place
// in an array, because repeated accesses do not reach this function.
void KeepWorst(MemorySite& site, const MemoryInfo& info, TallyOf where, LaneMask lanes,
               const LaneAddresses& addresses, const Tally& cost);

// Returns the address from which the offsets of an example are counted.
std::uint64_t BaseOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                     const LaneAddresses& addresses);

}  // namespace warpcheck::emulator
