// Reports accesses that a kernel may not make.
//
// A kernel may make millions of wrong accesses. So lanes that make the same mistake are reported
// together, and only the first report gets a text. Each wrong access costs more of the budget than
// an instruction, because it takes more time here. Therefore a loop that runs out of its array ends
// within seconds.
#pragma once

#include "emulator/core/observer.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Reports an access beyond every region by the lowest lane of `open` and by all lanes that make the
// same mistake, and returns these lanes. Stops the launch if a GPU would.
LaneMask ReportOutside(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask open,
                       const LaneAddresses& addresses);

// Reports accesses within the block's shared memory, but beyond the variables of their addresses
// (MemoryInfo::shared). `offset` is the offset of the lowest lane. The accesses are executed
// nevertheless.
void ReportBeyondVariable(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                          std::uint64_t offset);

// Reports writes to constant memory or to the kernel's parameters.
void ReportReadOnly(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                    const LaneAddresses& addresses);

// Reports misaligned accesses, and stops the launch.
void ReportMisaligned(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                      const LaneAddresses& addresses);

}  // namespace warpcheck::emulator
