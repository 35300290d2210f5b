// The objects that the handles of a warp name: descriptors in device memory, checked anew at each
// access, since a kernel may have overwritten what the runtime wrote there.
#pragma once

#include <cstddef>

#include "device/texture_descriptor.h"
#include "emulator/code/texture_info.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

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

}  // namespace warpcheck::emulator
