#include "emulator/access/texture_object.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "emulator/core/findings.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {
namespace {

const char* KindOf(bool is_surface) { return is_surface ? "surface" : "texture"; }

// "2D", "layered 1D".
std::string ShapeOf(int dimensions, bool layered) {
  return fmt::format("{}{}D", layered ? "layered " : "", dimensions);
}

int DimensionsOf(const TextureDescriptor& texture) {
  return texture.depth != 0 ? 3 : texture.height != 0 ? 2 : 1;
}

// Why there is no object at `handle`.
std::string WhyNone(const DeviceMemory& memory, DeviceAddress handle, bool surface) {
  if (kHeapWindow.Contains(handle)) {
    const Allocation* nearest = memory.Nearest(handle);
    const bool destroyed = nearest != nullptr && nearest->begin == handle &&
                           nearest->host == nullptr && nearest->bytes == sizeof(TextureDescriptor);
    if (destroyed) return fmt::format("uses a {} object that was destroyed", KindOf(surface));
  }
  return handle == 0 ? fmt::format("uses the {} object 0, which none is ever", KindOf(surface))
                     : fmt::format("uses a value as {} object that is none", KindOf(surface));
}

// What does not fit between the object and the instruction; empty where it fits.
std::string WhyUnfit(const TextureDescriptor& texture, const TextureInfo& info, bool has_geometry) {
  if ((texture.is_surface != 0) != info.is_surface) {
    return fmt::format("uses a {} object as a {}", KindOf(!info.is_surface),
                       KindOf(info.is_surface));
  }
  if (!has_geometry) return {};
  const int dimensions = DimensionsOf(texture);
  const bool layered = texture.layers != 0;
  if (dimensions != info.geometry.dimensions || layered != info.geometry.layered) {
    return fmt::format("{} a {} {} as a {} one", info.writes ? "writes" : "reads",
                       ShapeOf(dimensions, layered), KindOf(info.is_surface),
                       ShapeOf(info.geometry.dimensions, info.geometry.layered));
  }
  if (!info.is_surface && texture.is_linear_memory != 0 && !info.by_index) {
    return "samples a texture of linear memory, which tex1Dfetch alone can read";
  }
  return {};
}

}  // namespace

TextureObject FindTexture(Warp& warp, const Step& step, LaneMask lanes, DeviceAddress handle,
                          const TextureInfo& info) {
  const DeviceMemory& memory = *warp.launch->memory;
  TextureObject object;
  TextureDescriptor& descriptor = object.descriptor;
  const std::byte* at = memory.Host(handle, sizeof descriptor);
  if (at != nullptr) std::memcpy(&descriptor, at, sizeof descriptor);
  if (at == nullptr || !IsSound(descriptor)) {
    Report(warp, step, FindingKind::kInvalidTexture, lanes,
           WhyNone(memory, handle, info.is_surface));
    return object;
  }
  const bool has_geometry = info.geometry.dimensions != 0;
  if (std::string why = WhyUnfit(descriptor, info, has_geometry); !why.empty()) {
    Report(warp, step, FindingKind::kInvalidTexture, lanes, std::move(why));
    return object;
  }
  const Allocation* allocation = memory.Find(descriptor.texels, TexelSpan(descriptor));
  if (allocation == nullptr || allocation->kind == AllocationKind::kConstant) {
    Report(warp, step, FindingKind::kUseAfterFree, lanes,
           fmt::format("{} a {} whose memory was freed", info.writes ? "writes" : "reads",
                       KindOf(info.is_surface)));
    return object;
  }
  object.begin = allocation->begin;
  object.end = allocation->end();
  object.host = allocation->host;
  object.texels = allocation->host + (descriptor.texels - allocation->begin);
  return object;
}

}  // namespace warpcheck::emulator
