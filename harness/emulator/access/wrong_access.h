// Accesses that a kernel may not make: which finding each is, and what it says.
//
// Kernels make millions of them. So lanes that make the same mistake are reported together, text is
// made for the first alone, and each takes more of the budget than an instruction does, as it takes
// more time here: a loop that runs out of its array ends in seconds.
#pragma once

#include "emulator/core/observer.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Accesses beyond every region. Reports the lowest lane of `open` and those that make the same
// mistake, and returns them. Stops the launch where hardware does.
LaneMask ReportOutside(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask open,
                       const LaneAddresses& addresses);

// Accesses within the block's shared memory, beyond the variables that their addresses were made
// from (MemoryInfo::shared). `offset`: of the lowest of `lanes`. They are carried out.
void ReportBeyondVariable(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                          std::uint64_t offset);

// Writes to constant memory or to the kernel's parameters.
void ReportReadOnly(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                    const LaneAddresses& addresses);

// Stops the launch.
void ReportMisaligned(Warp& warp, const Step& step, const MemoryInfo& info, LaneMask lanes,
                      const LaneAddresses& addresses);

}  // namespace warpcheck::emulator
