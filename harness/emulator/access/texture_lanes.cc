#include "emulator/access/texture_lanes.h"

#include <cstring>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

void Poison(std::byte* frame, const TextureInfo& info, LaneMask lanes) {
  for (std::uint32_t e = 0; e < info.elements && !info.writes; ++e) {
    EachLane(lanes, [&](std::size_t lane) {
      std::memset(frame + info.values[e] + lane * info.register_bytes, 0xFF, info.register_bytes);
    });
  }
}

void TellTexels(Warp& warp, const Step& step, LaneMask mask, const TextureObject& object,
                const MemoryInfo& info, const LaneAddresses& addresses) {
  if (mask == 0) return;
  Tell(*warp.observers, &Observer::OnAccess,
       AccessEvent{.warp = warp,
                   .step = step,
                   .info = info,
                   .memory = MemoryKind::kGlobal,
                   .mask = mask,
                   .addresses = addresses,
                   .extent = ExtentOf(addresses, mask, info.bytes),
                   .begin = object.begin,
                   .end = object.end,
                   .host = object.host});
}

}  // namespace warpcheck::emulator
