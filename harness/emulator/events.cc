#include "emulator/events.h"

#include <algorithm>
#include <bit>

namespace warpcheck::emulator {

Extent ExtentOf(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes) {
  Extent extent{~std::uint64_t{0}, 0};
  for (LaneMask left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
    extent.begin = std::min(extent.begin, address);
    extent.end = std::max(extent.end, address + bytes);
  }
  return extent;
}

void TellWarpSync(Warp& warp, const Step& step, LaneMask lanes, const LaneMask* members,
                  bool orders_memory) {
  while (lanes != 0) {
    const LaneMask first = members[std::countr_zero(lanes)];
    LaneMask group = 0;
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      if (members[std::countr_zero(left)] == first) group |= left & (~left + 1);
    }
    Tell(*warp.observers, &Observer::OnWarpSync,
         WarpSyncEvent{.warp = warp, .step = step, .lanes = group, .orders_memory = orders_memory});
    lanes &= ~group;
  }
}

}  // namespace warpcheck::emulator
