// What accesses through texture and surface objects share: the lanes' operands, and events.
#pragma once

#include <array>
#include <bit>

#include "emulator/access/texture_object.h"
#include "emulator/code/texture_info.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

inline const TextureInfo& TextureInfoOf(const Warp& warp, const Step& step) {
  return warp.program->textures[step.data];
}

inline const DeviceAddress* HandlesOf(const std::byte* frame, const Step& step) {
  return reinterpret_cast<const DeviceAddress*>(frame + step.a);
}

// T: float or std::int32_t. Those that the geometry lacks are 0.
template <class T>
std::array<T, 3> CoordinatesOf(const std::byte* frame, const TextureInfo& info, std::size_t lane) {
  std::array<T, 3> coordinates = {};
  for (std::size_t i = 0; i < static_cast<std::size_t>(info.geometry.dimensions); ++i) {
    coordinates[i] = reinterpret_cast<const T*>(frame + info.coordinates[i])[lane];
  }
  return coordinates;
}

// The values of lanes that can read nothing: all bits set.
void Poison(std::byte* frame, const TextureInfo& info, LaneMask lanes);

// Tells the observers, of which there are some, of an access to texels at device addresses.
void TellTexels(Warp& warp, const Step& step, LaneMask mask, const TextureObject& object,
                const MemoryInfo& info, const LaneAddresses& addresses);

}  // namespace warpcheck::emulator
