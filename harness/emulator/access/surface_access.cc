// Accesses through surface objects (PTX ISA, "Surface Instructions"): x is in bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/access/texture_access.h"
#include "emulator/core/findings.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {
namespace {

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
        access_(warp.program->memory[step.memory]) {}

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
  }

 private:
  struct Place {
    std::int64_t x = 0;  // bytes
    std::int64_t y = 0;
    std::int64_t z = 0;  // or the layer
  };

  Place PlaceOf(std::size_t lane) const {
    const auto at = CoordinatesOf<std::int32_t>(frame_, info_, lane);
    Place place{.x = at[0], .y = at[1], .z = at[2]};
    if (info_.geometry.layered) {
      place.z = reinterpret_cast<const std::int32_t*>(frame_ + info_.layer)[lane];
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

  // "reads 4 bytes at byte 256 of row 3"
  std::string What(LaneMask lanes) const {
    const Place place = PlaceOf(static_cast<std::size_t>(std::countr_zero(lanes)));
    std::string text = fmt::format("{} {} byte{} at byte {}", info_.writes ? "writes" : "reads",
                                   access_.bytes, access_.bytes == 1 ? "" : "s", place.x);
    if (texture_.height != 0) text += fmt::format(" of row {}", place.y);
    if (texture_.depth != 0) text += fmt::format(" of slice {}", place.z);
    if (texture_.layers != 0) text += fmt::format(" of layer {}", place.z);
    return text;
  }

  void ReportOutside(LaneMask lanes) const {
    std::string extent = fmt::format("{}", texture_.width);
    if (texture_.height != 0) extent += fmt::format("x{}", texture_.height);
    if (texture_.depth != 0) extent += fmt::format("x{}", texture_.depth);
    if (texture_.layers != 0) extent += fmt::format(" in {} layers", texture_.layers);
    const std::uint32_t bytes = texture_.TexelBytes();
    Report(warp_, step_, FindingKind::kSurfaceOutOfBounds, lanes,
           fmt::format("{}, outside a surface of {} texels of {} byte{}; x is in bytes",
                       What(lanes), extent, bytes, bytes == 1 ? "" : "s"));
    warp_.launch->Stop(DeviceError::kLaunchFailure);
  }

  void ReportMisaligned(LaneMask lanes) const {
    Report(
        warp_, step_, FindingKind::kMisaligned, lanes,
        fmt::format("{} of a surface, which is not a multiple of {}", What(lanes), access_.bytes));
    warp_.launch->Stop(DeviceError::kMisalignedAddress);
  }

  // One channel of all lanes; outside, what is read is zero.
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

}  // namespace

void AccessSurface(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.launch->LeaveToOneThread()) return;
  warp.launch->NoteUnseen("a surface object");
  const TextureInfo& info = TextureInfoOf(warp, step);
  ForEachHandle(HandlesOf(frame, step), mask, [&](DeviceAddress handle, LaneMask lanes) {
    const TextureObject object = FindTexture(warp, step, lanes, handle, info);
    if (object.texels == nullptr) {
      Poison(frame, info, lanes);
    } else {
      Surface(frame, step, lanes, warp, object, info).Run();
    }
  });
}

}  // namespace warpcheck::emulator
