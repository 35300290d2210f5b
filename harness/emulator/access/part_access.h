// Where the accesses of a warp to global memory go in a part of a launch (part_memory.h).
#pragma once

#include "emulator/core/part_memory.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Notes a load or a store of the lanes of `mask`, and gives the host's bytes behind the first of
// the allocation for it. As the site remembers it, its lowest lane at `offset` of the allocation:
std::byte* HostInPart(const MemorySite& site, std::uint64_t offset, LaneMask mask,
                      const MemoryInfo& info);
// The same from the addresses of 32 lanes, in an allocation that begins at `begin`.
std::byte* HostInPart(PartView& view, const std::uint64_t* addresses, std::uint64_t begin,
                      LaneMask mask, const MemoryInfo& info);

}  // namespace warpcheck::emulator
