#include "emulator/core/observer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/core/block.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

Extent ExtentOf(const LaneAddresses& addresses, LaneMask lanes, std::uint32_t bytes) {
  Extent extent{~std::uint64_t{0}, 0};
  EachLane(lanes, [&](std::size_t lane) {
    extent.begin = std::min(extent.begin, addresses[lane]);
    extent.end = std::max(extent.end, addresses[lane] + bytes);
  });
  return extent;
}

void TellWarpSync(Warp& warp, const Step& step, LaneMask lanes, const LaneMask* members,
                  bool orders_memory) {
  while (lanes != 0) {
    const LaneMask first = members[std::countr_zero(lanes)];
    const LaneMask group =
        LanesAmong(lanes, [&](std::size_t lane) { return members[lane] == first; });
    Tell(*warp.observers, &Observer::OnWarpSync,
         WarpSyncEvent{.warp = warp, .step = step, .lanes = group, .orders_memory = orders_memory});
    lanes &= ~group;
  }
}

void TellCopyGroup(Warp& warp, const Step& step, LaneMask lanes, CopyGroupEvent::What what,
                   bool bulk) {
  if (warp.observers == nullptr) return;
  Tell(*warp.observers, &Observer::OnCopyGroup,
       CopyGroupEvent{.warp = warp,
                      .step = step,
                      .lanes = lanes,
                      .what = what,
                      .bulk = bulk,
                      .under_way = static_cast<std::uint32_t>(step.data)});
}

void TellMbarriers(Warp& warp, const Step& step, MbarrierEvent::What what, LaneMask lanes,
                   const std::byte* const* at, LaneMask ended) {
  if (warp.observers == nullptr) return;
  while (lanes != 0) {
    const std::byte* const barrier = at[std::countr_zero(lanes)];
    const LaneMask group = LanesAmong(lanes, [&](std::size_t lane) { return at[lane] == barrier; });
    lanes &= ~group;
    const auto offset = static_cast<std::uint64_t>(barrier - warp.block->shared.data());
    if (offset >= warp.block->shared.size()) continue;
    Tell(*warp.observers, &Observer::OnMbarrier,
         MbarrierEvent{.warp = warp,
                       .step = step,
                       .lanes = group,
                       .what = what,
                       .barrier = offset,
                       .phases_ended = static_cast<std::uint32_t>(std::popcount(group & ended))});
  }
}

}  // namespace warpcheck::emulator
