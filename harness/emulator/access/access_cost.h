// What an access of a warp adds to the tally of its instruction.
#pragma once

#include "device/launch_record.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"
#include "hardware/geometry.h"

namespace warpcheck::emulator {

// One request by `lanes`, which all go to the memory `where`.
Tally CostOf(const MemoryGeometry& geometry, const MemoryInfo& info, TallyOf where, LaneMask lanes,
             const LaneAddresses& addresses);

// An access to global or shared memory as an example; `cost`: what CostOf gives for it.
AccessExample ExampleOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                        const LaneAddresses& addresses, const Tally& cost);

// Keeps the access as the site's example of what it does to `where`, if it is worse than the one
// that is kept: of those to shared memory any, to global memory only with an excess. Which one is
// kept does not go by the order of accesses, nor by where in its array one is: those that are
// cached are not looked at.
void KeepWorst(MemorySite& site, const MemoryInfo& info, TallyOf where, LaneMask lanes,
               const LaneAddresses& addresses, const Tally& cost);

// The address that the offsets of the example are counted from.
std::uint64_t BaseOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                     const LaneAddresses& addresses);

}  // namespace warpcheck::emulator
