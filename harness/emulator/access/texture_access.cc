#include "emulator/access/texture_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "emulator/core/findings.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/lanes/texture.h"

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

namespace {

using ReadsOfLanes = std::array<TexelReads, kLanes>;

// The layer of a lane, in bytes from the first; indices beyond the last one are the last.
std::uint64_t LayerOffset(const std::byte* frame, const TextureDescriptor& texture,
                          const TextureInfo& info, std::size_t lane) {
  if (!info.geometry.layered) return 0;
  const std::uint32_t layer = reinterpret_cast<const std::uint32_t*>(frame + info.layer)[lane];
  return std::min(layer, texture.layers - 1) * texture.layer;
}

// An event for the first texel of each lane, another for the second, ...
void TellReads(Warp& warp, const Step& step, LaneMask lanes, const TextureObject& object,
               const ReadsOfLanes& reads) {
  MemoryInfo info = warp.program->memory[step.memory];
  info.bytes = object.descriptor.TexelBytes();
  for (std::size_t i = 0; i < reads[0].offsets.size(); ++i) {
    LaneMask mask = 0;
    LaneAddresses addresses = {};
    EachLane(lanes, [&](std::size_t lane) {
      if (reads[lane].count <= i) return;
      mask |= LaneMask{1} << lane;
      addresses[lane] = object.descriptor.texels + reads[lane].offsets[i];
    });
    TellTexels(warp, step, mask, object, info, addresses);
  }
}

// tex by index or by coordinates, tld4.
Texel FetchOne(const std::byte* frame, const TextureDescriptor& texture, const std::byte* texels,
               const TextureInfo& info, std::size_t lane, TexelReads* read) {
  if (info.by_index) {
    return FetchAt(texture, texels, CoordinatesOf<std::int32_t>(frame, info, lane), read);
  }
  const std::array<float, 3> at = CoordinatesOf<float>(frame, info, lane);
  if (info.gathered < 0) return Sample(texture, texels, at, read);
  return Gather(texture, texels, at, static_cast<std::size_t>(info.gathered), read);
}

void FetchLanes(std::byte* frame, const Step& step, LaneMask lanes, Warp& warp,
                const TextureObject& object, const TextureInfo& info) {
  const TextureDescriptor& texture = object.descriptor;
  ReadsOfLanes reads;
  const bool watched = warp.observers != nullptr;
  EachLane(lanes, [&](std::size_t lane) {
    const std::uint64_t layer = LayerOffset(frame, texture, info, lane);
    TexelReads* const read = watched ? &reads[lane] : nullptr;
    const Texel texel = FetchOne(frame, texture, object.texels + layer, info, lane, read);
    for (std::uint32_t e = 0; e < info.elements; ++e) {
      reinterpret_cast<std::uint32_t*>(frame + info.values[e])[lane] = texel[e];
    }
    for (std::uint64_t& offset : reads[lane].offsets) offset += layer;
  });
  if (watched) TellReads(warp, step, lanes, object, reads);
}

std::uint32_t Answer(const TextureDescriptor& texture, TextureQuery query) {
  switch (query) {
    case TextureQuery::kWidth:
      return texture.width;
    case TextureQuery::kHeight:
      return texture.height;
    case TextureQuery::kDepth:
      return texture.depth;
    case TextureQuery::kLayers:
      return texture.layers;
    case TextureQuery::kNormalizedCoordinates:
      return texture.normalized_coordinates;
    case TextureQuery::kOne:
      break;
  }
  return 1;
}

}  // namespace

void FetchTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.launch->LeaveToOneThread()) return;
  warp.launch->NoteUnseen("a texture object");
  const TextureInfo& info = TextureInfoOf(warp, step);
  LaneMask& resident = Predicate(frame, step.q);
  ForEachHandle(HandlesOf(frame, step), mask, [&](DeviceAddress handle, LaneMask lanes) {
    const TextureObject object = FindTexture(warp, step, lanes, handle, info);
    if (object.texels == nullptr) {
      Poison(frame, info, lanes);
    } else {
      FetchLanes(frame, step, lanes, warp, object, info);
    }
  });
  resident |= mask;
}

void QueryTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.launch->LeaveToOneThread()) return;
  const TextureInfo& info = TextureInfoOf(warp, step);
  ForEachHandle(HandlesOf(frame, step), mask, [&](DeviceAddress handle, LaneMask lanes) {
    const TextureObject object = FindTexture(warp, step, lanes, handle, info);
    const std::uint32_t answer =
        object.texels == nullptr ? ~0U : Answer(object.descriptor, info.query);
    auto* const d = reinterpret_cast<std::uint32_t*>(frame + step.d);
    EachLane(lanes, [&](std::size_t lane) { d[lane] = answer; });
  });
}

}  // namespace warpcheck::emulator
