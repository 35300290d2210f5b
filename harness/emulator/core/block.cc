#include "emulator/core/block.h"

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

Dim3 ThreadIndex(const Launch& launch, const Warp& warp, int lane) {
  return PositionIn(launch.request->block, warp.index * kLanes + static_cast<std::uint32_t>(lane));
}

}  // namespace warpcheck::emulator
