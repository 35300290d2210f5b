// Fetches through texture objects, and accesses through surface objects, of a warp: finds and
// checks the objects, tells observers what is read and written. None of it enters the counters of
// memory (docs/counters.md). They go to the device's memory itself, so that kernels with them run
// on one thread (parallel_run.h).
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "device/texture_descriptor.h"
#include "emulator/code/program.h"
#include "emulator/code/step.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// The objects that the handles of a warp name: descriptors in device memory, checked anew at each
// access, since a kernel may have overwritten what the runtime wrote there.

struct TextureObject {
  TextureDescriptor descriptor;
  std::byte* texels = nullptr;  // null: the object cannot be used, which is reported
  // The allocation in which they lie.
  DeviceAddress begin = 0;
  DeviceAddress end = 0;
  std::byte* host = nullptr;  // behind `begin`
};

// The object at `handle`, which the instruction of `lanes` uses as `info` says; reports what is
// wrong with it.
TextureObject FindTexture(Warp& warp, const Step& step, LaneMask lanes, DeviceAddress handle,
                          const TextureInfo& info);

// Calls use(handle, lanes) for the lanes of `mask` with one handle each, until the launch stops.
template <class Use>
void ForEachHandle(const DeviceAddress* handles, LaneMask mask, Use use) {
  while (mask != 0) {
    const DeviceAddress handle = handles[std::countr_zero(mask)];
    LaneMask same = 0;
    for (LaneMask left = mask; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      if (handles[lane] == handle) same |= LaneMask{1} << lane;
    }
    use(handle, same);
    mask &= ~same;
  }
}

// What accesses through texture and surface objects share: the lanes' operands, and events.

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

// step.a: the slot of the handles, step.data: the entry of Program::textures, step.memory: that of
// Program::memory. Lanes whose object is none, or another than the instruction needs, have a
// finding: they read poison (all bits set), or write nothing.
void FetchTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);
void AccessSurface(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);
// txq, suq: step.d gets what is asked for.
void QueryTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp);

}  // namespace warpcheck::emulator
