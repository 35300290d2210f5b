#include "emulator/access/texture_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "base/text.h"
#include "device/texture_descriptor.h"
#include "emulator/access/texture_sectors.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/lanes/texture.h"
#include "emulator/record/findings.h"

namespace warpcheck::emulator {
namespace {

// A texture or surface object that a handle names. Its descriptor is in device memory. It is
// checked at each access, because a kernel may have overwritten it.
struct TextureObject {
  TextureDescriptor descriptor;
  std::byte* texels = nullptr;  // null if the object cannot be used, which was reported already
  // The allocation that contains the texels.
  DeviceAddress begin = 0;
  DeviceAddress end = 0;
  std::byte* host = nullptr;  // the host's address of `begin`
};

const char* KindOf(bool is_surface) { return is_surface ? "surface" : "texture"; }

// Returns, for example, "2D" or "layered 1D".
std::string ShapeOf(int dimensions, bool layered) {
  return fmt::format("{}{}D", layered ? "layered " : "", dimensions);
}

int DimensionsOf(const TextureDescriptor& texture) {
  return texture.depth != 0 ? 3 : texture.height != 0 ? 2 : 1;
}

// Returns true if an object at `handle` was destroyed.
bool WasDestroyed(const DeviceMemory& memory, DeviceAddress handle) {
  if (!kHeapWindow.Contains(handle)) return false;
  const Allocation* nearest = memory.Nearest(handle);
  return nearest != nullptr && nearest->begin == handle && nearest->host == nullptr &&
         nearest->bytes == sizeof(TextureDescriptor);
}

// Reports why there is no object at `handle`, and what to do.
void ReportNone(Warp& warp, const Step& step, LaneMask lanes, DeviceAddress handle, bool surface) {
  std::string why = fmt::format("uses a value that is not a {} object", KindOf(surface));
  std::string advice;
  if (WasDestroyed(*warp.launch->memory, handle)) {
    why = fmt::format("uses a {} object that was destroyed", KindOf(surface));
    advice =
        fmt::format("destroy a {} object only after the last kernel that uses it", KindOf(surface));
  } else if (handle == 0) {
    why = fmt::format("uses the {} object 0, which is never valid", KindOf(surface));
    advice = surface
                 ? "check what cudaCreateSurfaceObject() returned: it makes an object only for a "
                   "CUDA array that was allocated with cudaArraySurfaceLoadStore"
                 : "check what cudaCreateTextureObject() returned. It makes no object for rows "
                   "whose pitch is not a multiple of 32 bytes, for memory that does not begin at a "
                   "multiple of 512 bytes, for memory or an array that was freed, and for a linear "
                   "filter over integers that are not read as normalised floats";
  }
  Report(warp, step, FindingKind::kInvalidTexture, lanes, std::move(why), std::move(advice));
}

// Returns why the instruction cannot use the object; empty if it can.
std::string WhyUnfit(const TextureDescriptor& texture, const TextureInfo& info) {
  if ((texture.is_surface != 0) != info.is_surface) {
    return fmt::format("uses a {} object as a {}", KindOf(!info.is_surface),
                       KindOf(info.is_surface));
  }
  if (info.geometry.dimensions == 0) return {};  // the instruction is a query
  const int dimensions = DimensionsOf(texture);
  const bool layered = texture.layers != 0;
  if (dimensions != info.geometry.dimensions || layered != info.geometry.layered) {
    return fmt::format("{} a {} {} as a {} one", info.writes ? "writes" : "reads",
                       ShapeOf(dimensions, layered), KindOf(info.is_surface),
                       ShapeOf(info.geometry.dimensions, info.geometry.layered));
  }
  if (!info.is_surface && texture.is_linear_memory != 0 && !info.by_index) {
    return "samples a texture of linear memory, which only tex1Dfetch can read";
  }
  return {};
}

// Returns the object at `handle` that the instruction of `lanes` uses. Reports any mistake in it;
// then `texels` is null.
TextureObject FindTexture(Warp& warp, const Step& step, LaneMask lanes, DeviceAddress handle,
                          const TextureInfo& info) {
  const DeviceMemory& memory = *warp.launch->memory;
  TextureObject object;
  TextureDescriptor& descriptor = object.descriptor;
  const std::byte* at = memory.Host(handle, sizeof descriptor);
  if (at != nullptr) std::memcpy(&descriptor, at, sizeof descriptor);
  if (at == nullptr || !IsSound(descriptor)) {
    ReportNone(warp, step, lanes, handle, info.is_surface);
    return object;
  }
  if (std::string why = WhyUnfit(descriptor, info); !why.empty()) {
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

// Sets all bits of the results of lanes that cannot read.
void Poison(std::byte* frame, const TextureInfo& info, LaneMask lanes) {
  for (std::uint32_t e = 0; e < info.elements && !info.writes; ++e) {
    EachLane(lanes, [&](std::size_t lane) {
      std::memset(frame + info.values[e] + lane * info.register_bytes, 0xFF, info.register_bytes);
    });
  }
}

// Calls use(object, lanes) for each handle and its lanes among `mask`. Poisons the lanes whose
// object cannot be used.
template <class Use>
void ForEachObject(std::byte* frame, const Step& step, LaneMask mask, Warp& warp,
                   const TextureInfo& info, Use use) {
  const auto* handles = Lanes<DeviceAddress>(frame, step.a);
  while (mask != 0) {
    const DeviceAddress handle = handles[std::countr_zero(mask)];
    LaneMask same = 0;
    EachLane(mask, [&](std::size_t lane) {
      if (handles[lane] == handle) same |= LaneMask{1} << lane;
    });
    const TextureObject object = FindTexture(warp, step, same, handle, info);
    if (object.texels != nullptr) {
      use(object, same);
    } else {
      Poison(frame, info, same);
    }
    mask &= ~same;
  }
}

// Returns the coordinates of a lane; coordinates that the geometry does not have are 0. T is float
// or std::int32_t.
template <class T>
std::array<T, 3> CoordinatesOf(std::byte* frame, const TextureInfo& info, std::size_t lane) {
  std::array<T, 3> coordinates = {};
  for (std::size_t i = 0; i < static_cast<std::size_t>(info.geometry.dimensions); ++i) {
    coordinates[i] = Lanes<T>(frame, info.coordinates[i])[lane];
  }
  return coordinates;
}

// Tells the observers of an access to texels at device addresses. There must be observers.
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

// Returns the layer that a lane selects; 0 if the texture has no layers. An index beyond the last
// layer selects the last one.
std::uint32_t LayerOf(std::byte* frame, const TextureDescriptor& texture, const TextureInfo& info,
                      std::size_t lane) {
  if (!info.geometry.layered) return 0;
  return std::min(Lanes<std::uint32_t>(frame, info.layer)[lane], texture.layers - 1);
}

// Makes one event for the first texel of each lane, one for the second, and so on.
void TellReads(Warp& warp, const Step& step, LaneMask lanes, const TextureObject& object,
               const ReadsOfLanes& reads) {
  MemoryInfo info = warp.running.program->memory[step.memory];
  info.bytes = object.descriptor.TexelBytes();
  if (object.descriptor.is_linear_memory != 0) info.counting = Counting::kAccess;
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

// Executes tex (by index or by coordinates) or tld4 for one lane.
Texel FetchOne(std::byte* frame, const TextureDescriptor& texture, const std::byte* texels,
               const TextureInfo& info, std::size_t lane, TexelReads* read) {
  if (info.by_index) {
    return FetchAt(texture, texels, CoordinatesOf<std::int32_t>(frame, info, lane), read);
  }
  const std::array<float, 3> at = CoordinatesOf<float>(frame, info, lane);
  if (info.gathered < 0) return Sample(texture, texels, at, read);
  return Gather(texture, texels, at, static_cast<std::size_t>(info.gathered), read);
}

// Counts a fetch as a load of global memory that touches the sectors which the texture's cache
// looks up, if their law is known. The block has moved the bytes in any case.
void CountFetch(Warp& warp, const Step& step, LaneMask lanes, const TextureObject& object,
                const ReadsOfLanes& reads) {
  const Tally cost = TextureCost(object.descriptor, lanes, reads);
  warp.launch->moved += cost.bytes;
  if (!CountsSectors(object.descriptor)) {
    warp.launch->NoteUnseen("linear filtering in 3D of texels wider than 4 bytes");
    return;
  }
  MemorySite& site = warp.running.sites[step.memory];
  site.GlobalTally(object.begin, warp.launch->options->by_allocation) += cost;
}

void FetchLanes(std::byte* frame, const Step& step, LaneMask lanes, Warp& warp,
                const TextureObject& object, const TextureInfo& info) {
  const TextureDescriptor& texture = object.descriptor;
  ReadsOfLanes reads;
  EachLane(lanes, [&](std::size_t lane) {
    const std::uint32_t layer = LayerOf(frame, texture, info, lane);
    const std::uint64_t begin = layer * texture.layer;
    const Texel texel = FetchOne(frame, texture, object.texels + begin, info, lane, &reads[lane]);
    for (std::uint32_t e = 0; e < info.elements; ++e) {
      Lanes<std::uint32_t>(frame, info.values[e])[lane] = texel[e];
    }
    for (std::uint64_t& offset : reads[lane].offsets) offset += begin;
    if (!info.geometry.layered) return;
    for (TexelPlace& place : reads[lane].places) place[2] = layer;
  });
  CountFetch(warp, step, lanes, object, reads);
  if (warp.observers != nullptr) TellReads(warp, step, lanes, object, reads);
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

// An access of lanes to one surface object (PTX ISA, "Surface Instructions"), in which x is in
// bytes.
class Surface {
 public:
  Surface(std::byte* frame, const Step& step, LaneMask lanes, Warp& warp,
          const TextureObject& object, const TextureInfo& info)
      : frame_(frame),
        step_(step),
        lanes_(lanes),
        warp_(warp),
        object_(object),
        texture_(object.descriptor),
        info_(info),
        access_(warp.running.program->memory[step.memory]) {}

  void Run() {
    LaneMask good = 0;
    LaneMask trapped = 0;
    LaneMask misaligned = 0;
    EachLane(lanes_, [&](std::size_t lane) {
      Place place = PlaceOf(lane);
      const LaneMask bit = LaneMask{1} << lane;
      if (!IsInside(place)) {
        if (info_.edge == SurfaceEdge::kTrap) trapped |= bit;
        if (info_.edge != SurfaceEdge::kClamp) return;
        place = Clamped(place);
      }
      if (place.x % access_.bytes != 0) misaligned |= bit;
      good |= bit;
      addresses_[lane] = AddressOf(place);
    });
    if (trapped != 0) return ReportOutside(trapped);
    if (misaligned != 0) return ReportMisaligned(misaligned);
    if (warp_.observers != nullptr) {
      TellTexels(warp_, step_, good, object_, access_, addresses_);
    }
    for (std::uint32_t e = 0; e < info_.elements; ++e) Move(e, good);
    warp_.launch->moved +=
        std::uint64_t{access_.bytes} * static_cast<unsigned>(std::popcount(good));
  }

 private:
  struct Place {
    std::int64_t x = 0;  // the x coordinate in bytes
    std::int64_t y = 0;
    std::int64_t z = 0;  // the z coordinate, or the layer
  };

  Place PlaceOf(std::size_t lane) const {
    const auto at = CoordinatesOf<std::int32_t>(frame_, info_, lane);
    Place place{.x = at[0], .y = at[1], .z = at[2]};
    if (info_.geometry.layered) {
      place.z = Lanes<std::int32_t>(frame_, info_.layer)[lane];
    }
    return place;
  }

  std::int64_t RowBytes() const { return static_cast<std::int64_t>(texture_.RowBytes()); }
  std::int64_t Rows() const { return std::max(texture_.height, 1U); }
  std::int64_t Slices() const { return std::max({texture_.depth, texture_.layers, 1U}); }

  bool IsInside(const Place& place) const {
    return place.x >= 0 && place.x + access_.bytes <= RowBytes() && place.y >= 0 &&
           place.y < Rows() && place.z >= 0 && place.z < Slices();
  }

  Place Clamped(const Place& place) const {
    const std::int64_t last = std::max<std::int64_t>(RowBytes() - access_.bytes, 0);
    return {.x = std::clamp<std::int64_t>(place.x, 0, last),
            .y = std::clamp<std::int64_t>(place.y, 0, Rows() - 1),
            .z = std::clamp<std::int64_t>(place.z, 0, Slices() - 1)};
  }

  std::uint64_t AddressOf(const Place& place) const {
    return texture_.texels + static_cast<std::uint64_t>(place.z) * texture_.layer +
           static_cast<std::uint64_t>(place.y) * texture_.pitch +
           static_cast<std::uint64_t>(place.x);
  }

  // Returns a description of the lowest lane's access: "reads 4 bytes at byte 256 of row 3".
  std::string What(LaneMask lanes) const {
    const Place place = PlaceOf(static_cast<std::size_t>(std::countr_zero(lanes)));
    std::string text = fmt::format("{} {} at byte {}", info_.writes ? "writes" : "reads",
                                   Counted(access_.bytes, "byte"), place.x);
    if (texture_.height != 0) text += fmt::format(" of row {}", place.y);
    if (texture_.depth != 0) text += fmt::format(" of slice {}", place.z);
    if (texture_.layers != 0) text += fmt::format(" of layer {}", place.z);
    return text;
  }

  void ReportOutside(LaneMask lanes) const {
    std::string extent = fmt::format("{}", texture_.width);
    if (texture_.height != 0) extent += fmt::format("x{}", texture_.height);
    if (texture_.depth != 0) extent += fmt::format("x{}", texture_.depth);
    if (texture_.layers != 0) extent += " in " + Counted(texture_.layers, "layer");
    const std::uint32_t bytes = texture_.TexelBytes();
    Report(warp_, step_, FindingKind::kSurfaceOutOfBounds, lanes,
           fmt::format("{}, outside a surface of {} texels of {}; x is in bytes", What(lanes),
                       extent, Counted(bytes, "byte")));
    warp_.launch->Stop(DeviceError::kLaunchFailure);
  }

  void ReportMisaligned(LaneMask lanes) const {
    Report(
        warp_, step_, FindingKind::kMisaligned, lanes,
        fmt::format("{} of a surface, which is not a multiple of {}", What(lanes), access_.bytes),
        "x of a surface is in bytes: multiply the element's column by sizeof of its type");
    warp_.launch->Stop(DeviceError::kMisalignedAddress);
  }

  // Moves one channel of all lanes. Lanes outside the surface read zero.
  void Move(std::uint32_t element, LaneMask good) const {
    const std::uint32_t bytes = access_.bytes / info_.elements;
    EachLane(lanes_, [&](std::size_t lane) {
      std::byte* const value = frame_ + info_.values[element] + lane * info_.register_bytes;
      const bool inside = (good >> lane & 1U) != 0;
      if (!info_.writes) std::memset(value, 0, info_.register_bytes);
      if (!inside) return;
      std::byte* const texel =
          object_.host + (addresses_[lane] - object_.begin) + std::size_t{element} * bytes;
      std::memcpy(info_.writes ? texel : value, info_.writes ? value : texel, bytes);
    });
  }

  std::byte* const frame_;
  const Step& step_;
  const LaneMask lanes_;
  Warp& warp_;
  const TextureObject& object_;
  const TextureDescriptor& texture_;
  const TextureInfo& info_;
  const MemoryInfo& access_;
  LaneAddresses addresses_ = {};
};

// Counts a fetch, an access of a surface, or a query, of any object.
void CountRequest(Warp& warp, const Step& step) {
  ++warp.running.sites[step.memory].Of(TallyOf::kOther).requests;
}

}  // namespace

void FetchTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.launch->LeaveToOneThread()) return;
  CountRequest(warp, step);
  const TextureInfo& info = warp.running.program->textures[step.data];
  const auto fetch = [&](const TextureObject& object, LaneMask lanes) {
    FetchLanes(frame, step, lanes, warp, object, info);
  };
  ForEachObject(frame, step, mask, warp, info, fetch);
  Predicate(frame, step.q) |= mask;
}

void AccessSurface(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.launch->LeaveToOneThread()) return;
  warp.launch->NoteUnseen("a surface object");
  CountRequest(warp, step);
  const TextureInfo& info = warp.running.program->textures[step.data];
  const auto access = [&](const TextureObject& object, LaneMask lanes) {
    Surface(frame, step, lanes, warp, object, info).Run();
  };
  ForEachObject(frame, step, mask, warp, info, access);
}

void QueryTexture(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.launch->LeaveToOneThread()) return;
  warp.launch->NoteUnseen("queries of a texture or surface object");
  CountRequest(warp, step);
  const TextureInfo& info = warp.running.program->textures[step.data];
  auto* const d = Lanes<std::uint32_t>(frame, step.d);
  LaneMask unanswered = mask;
  const auto answer = [&](const TextureObject& object, LaneMask lanes) {
    unanswered &= ~lanes;
    EachLane(lanes, [&](std::size_t lane) { d[lane] = Answer(object.descriptor, info.query); });
  };
  ForEachObject(frame, step, mask, warp, info, answer);
  EachLane(unanswered, [&](std::size_t lane) { d[lane] = ~0U; });
}

}  // namespace warpcheck::emulator
