#include "emulator/access/texture_access.h"

#include <algorithm>
#include <bit>

#include "emulator/access/texture_lanes.h"
#include "emulator/access/texture_object.h"
#include "emulator/core/launch.h"
#include "emulator/lanes/texture.h"

namespace warpcheck::emulator {
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

void FetchLanes(std::byte* frame, const Step& step, LaneMask lanes, Warp& warp,
                const TextureObject& object, const TextureInfo& info) {
  const TextureDescriptor& texture = object.descriptor;
  ReadsOfLanes reads;
  const bool watched = warp.observers != nullptr;
  EachLane(lanes, [&](std::size_t lane) {
    const std::uint64_t layer = LayerOffset(frame, texture, info, lane);
    TexelReads* const read = watched ? &reads[lane] : nullptr;
    const Texel texel =
        info.by_index
            ? FetchAt(texture, object.texels + layer,
                      CoordinatesOf<std::int32_t>(frame, info, lane), read)
            : Sample(texture, object.texels + layer, CoordinatesOf<float>(frame, info, lane), read);
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
