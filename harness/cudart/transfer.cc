#include "cudart/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cudart/misuse.h"
#include "cudart/runtime.h"
#include "cudart/saved_bytes.h"
#include "cudart/stream_capture.h"
#include "cudart/texture_table.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {

namespace {

// Host rows without gaps, in the form that the device takes and returns. They are the rows of the
// box itself if these have no gaps, and otherwise a buffer.
class PackedRows {
 public:
  PackedRows(std::byte* host, const Strides& strides, const Extent3& extent)
      : host_(host), strides_(strides), extent_(extent) {
    const Extent3 joined = Joined(extent, strides);
    if (joined.height == 1 && joined.depth == 1) {
      bytes_ = {host, joined.width};
    } else {
      room_.resize(extent.Bytes());
      bytes_ = room_;
    }
  }

  std::span<std::byte> bytes() const { return bytes_; }
  void FromHost() {
    if (!room_.empty()) MoveBox(room_.data(), Packed(extent_), host_, strides_, extent_);
  }
  void ToHost() const {
    if (!room_.empty()) MoveBox(host_, strides_, room_.data(), Packed(extent_), extent_);
  }

 private:
  std::byte* host_;
  Strides strides_;
  Extent3 extent_;
  std::vector<std::byte> room_;
  std::span<std::byte> bytes_;
};

// The sides that a cudaMemcpyKind states, indexed by its number.
struct CopyKind {
  const char* name;
  Side to;
  Side from;
};
constexpr CopyKind kCopyKinds[] = {
    {"cudaMemcpyHostToHost", Side::kHost, Side::kHost},
    {"cudaMemcpyHostToDevice", Side::kDevice, Side::kHost},
    {"cudaMemcpyDeviceToHost", Side::kHost, Side::kDevice},
    {"cudaMemcpyDeviceToDevice", Side::kDevice, Side::kDevice},
    {"cudaMemcpyDefault", Side::kEither, Side::kEither},
};

// Returns true if all `bytes` are memory of the device.
bool OnDevice(Runtime& runtime, const void* pointer, std::uint64_t bytes) {
  return runtime.device->Holds(reinterpret_cast<DeviceAddress>(pointer), bytes);
}

// A CopySide is one side of a copy or a fill: `bytes` from `pointer` on, which should lie on
// `side`.
struct CopySide {
  std::string_view name;  // "destination" or "source"
  const void* pointer = nullptr;
  std::uint64_t bytes = 0;
  Side side = Side::kEither;
};

// Returns why the side was refused, for example "the destination is host memory, but
// cudaMemcpyHostToDevice needs memory of the device"; empty if the side is right.
std::string WhyWrong(Runtime& runtime, const CopySide& side, std::string_view kind) {
  const auto misplaced = [&](std::string_view where) {
    return fmt::format("the {} is {}, but {} needs memory of the {}", side.name, where, kind,
                       side.side == Side::kHost ? "host" : "device");
  };
  if (side.pointer == nullptr) return fmt::format("the {} is a null pointer", side.name);
  if (const Allocation* allocation = runtime.memory.Find(side.pointer)) {
    if (allocation->host == nullptr && side.side == Side::kHost) return misplaced("device memory");
    if (allocation->Holds(side.pointer, side.bytes)) return "";
    return fmt::format("the {} is too small: {} bytes from byte {} of an allocation of {} bytes",
                       side.name, side.bytes, allocation->OffsetOf(side.pointer),
                       allocation->bytes);
  }
  const bool host = runtime.memory.IsOfProcess(side.pointer, 1);
  if (host && side.side == Side::kDevice) return misplaced("host memory");
  if (host) {
    if (IsMapped(side.pointer, side.bytes)) return "";
    return fmt::format("the {} is too small: its host memory has less than {} bytes", side.name,
                       side.bytes);
  }
  if (OnDevice(runtime, side.pointer, 1)) {
    if (side.side == Side::kHost) return misplaced("device memory");
    if (OnDevice(runtime, side.pointer, side.bytes)) return "";
    return fmt::format("the {} is too small: its device array has less than {} bytes", side.name,
                       side.bytes);
  }
  return fmt::format("the {} is not memory of the host or of the device (was it freed?)",
                     side.name);
}

// Reports to the log what is wrong with a refused copy or fill, and returns `error`.
cudaError_t Refused(Runtime& runtime, cudaError_t error, std::initializer_list<CopySide> sides,
                    std::string_view kind) {
  if (error != cudaErrorInvalidValue) return error;
  for (const CopySide& side : sides) {
    const std::string why = WhyWrong(runtime, side, kind);
    if (why.empty()) continue;
    NoteMisuse(runtime, FindingKind::kWrongCopy,
               fmt::format("{} did nothing: {}", CurrentCall().Text(), why));
    break;
  }
  return error;
}

// Makes one request to the device, for any number of rows.
cudaError_t CopyPlaces(Device& device, Place to, const Strides& to_strides, Place from,
                       const Strides& from_strides, const Extent3& extent) {
  if (to.host != nullptr && from.host != nullptr) {
    MoveBox(to.host, to_strides, from.host, from_strides, extent);
    return cudaSuccess;
  }
  if (to.host != nullptr) {
    const PackedRows rows(to.host, to_strides, extent);
    const DeviceError error =
        device.ReadBox({.address = from.device, .strides = from_strides}, extent, rows.bytes());
    if (error == DeviceError::kSuccess) rows.ToHost();
    return ToCuda(error);
  }
  const DeviceBox target = {.address = to.device, .strides = to_strides};
  if (from.host != nullptr) {
    PackedRows rows(from.host, from_strides, extent);
    rows.FromHost();
    return ToCuda(device.WriteBox(target, extent, rows.bytes()));
  }
  return ToCuda(device.CopyBox(target, {.address = from.device, .strides = from_strides}, extent));
}

// The place of a box on the device: the box itself, or the device's copy of memory that both sides
// see.
struct OnTheDevice {
  const Allocation* shared = nullptr;  // null for memory that only the device sees
  DeviceAddress address = 0;
};

std::optional<OnTheDevice> Mirrored(const Runtime& runtime, const Box& box, const Place& place) {
  if (place.host == nullptr) return OnTheDevice{.address = place.device};
  const Allocation* allocation = runtime.memory.Find(box.pointer);
  if (allocation == nullptr || allocation->alias != 0) return std::nullopt;
  return OnTheDevice{.shared = allocation,
                     .address = allocation->device + allocation->OffsetOf(box.pointer)};
}

// Copies on the device if a kernel's results are involved, even from or to memory that both sides
// see, so that the bytes do not count as written by the host. Returns false if no kernel's results
// are involved.
bool CopiesOnTheDevice(const std::optional<OnTheDevice>& to,
                       const std::optional<OnTheDevice>& from) {
  if (!to || !from || (to->shared == nullptr && from->shared == nullptr)) return false;
  return from->shared == nullptr || from->shared->managed();
}

cudaError_t CopyOnTheDevice(Runtime& runtime, const OnTheDevice& to, const Strides& to_strides,
                            const OnTheDevice& from, const Strides& from_strides,
                            const Extent3& extent) {
  Device& device = *runtime.device;
  if (from.shared != nullptr) WARPCHECK_TRY_CODE(ToCuda(runtime.memory.Push(device, *from.shared)));
  const DeviceBox target = {.address = to.address, .strides = to_strides};
  WARPCHECK_TRY_CODE(
      ToCuda(device.CopyBox(target, {.address = from.address, .strides = from_strides}, extent)));
  if (to.shared == nullptr) return cudaSuccess;
  return ToCuda(runtime.memory.Pull(device, *to.shared, target, extent));
}

// Copies boxes whose spans are known.
cudaError_t CopySpans(Runtime& runtime, const Box& to, const CopySide& target_side, const Box& from,
                      const CopySide& source_side, const Extent3& extent) {
  Place target;
  Place source;
  WARPCHECK_TRY_CODE(Locate(runtime, to.pointer, target_side.bytes, target_side.side, &target));
  WARPCHECK_TRY_CODE(Locate(runtime, from.pointer, source_side.bytes, source_side.side, &source));
  const auto to_device = Mirrored(runtime, to, target);
  const auto from_device = Mirrored(runtime, from, source);
  if (CopiesOnTheDevice(to_device, from_device)) {
    return CopyOnTheDevice(runtime, *to_device, to.strides(), *from_device, from.strides(), extent);
  }
  return CopyPlaces(*runtime.device, target, to.strides(), source, from.strides(), extent);
}

// Returns the memory at `pointer` if the host and the device share it.
const Allocation* SharedAt(const Runtime& runtime, const void* pointer) {
  const Allocation* const allocation = runtime.memory.Find(pointer);
  return allocation != nullptr && allocation->host != nullptr ? allocation : nullptr;
}

// Returns true for memory of the host: the host waits for every copy between two such places.
bool OnHost(const Runtime& runtime, const void* pointer) {
  const Allocation* const allocation = runtime.memory.Find(pointer);
  if (allocation != nullptr) return allocation->host != nullptr && !allocation->managed();
  return runtime.memory.IsOfProcess(pointer, 1);
}

// Calls write(), which writes a box within an allocation that the host and the device share. Takes
// the new bytes to `*late`, and leaves the old ones there for the host.
template <class Write>
cudaError_t WriteLate(Runtime& runtime, const Allocation& shared, const Box& to,
                      const Extent3& extent, std::vector<order::LateWrite>* late, Write write) {
  std::uint64_t bytes = 0;
  if (extent.Empty() || SpanOf(to, extent, &bytes) != cudaSuccess ||
      !shared.Holds(to.pointer, bytes)) {
    return write();
  }
  std::byte* const host = shared.host + shared.OffsetOf(to.pointer);
  runtime.host.late().Deliver(host, bytes);
  SavedBytes saved(host, to.strides(), extent);
  WARPCHECK_TRY_CODE(write());
  late->push_back(saved.TakeNew());
  return cudaSuccess;
}

// The device fills by bytes. Elements of several bytes that differ are copied.
cudaError_t FillElements(Runtime& runtime, const FillNode& fill) {
  const Box to = BoxAt(fill.to, fill.strides);
  const auto* const value = reinterpret_cast<const std::byte*>(&fill.value);
  if (std::equal(value + 1, value + fill.element_bytes, value)) {
    return FillBox(runtime, to, value[0], fill.extent);
  }
  std::vector<std::byte> rows(fill.extent.Bytes());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = value[i % fill.element_bytes];
  return CopyBox(runtime, to, BoxAt(rows.data(), Packed(fill.extent)), fill.extent,
                 cudaMemcpyHostToDevice);
}

bool Reaches(std::uint64_t begin, std::uint64_t count, std::uint64_t extent) {
  return begin > extent || count > extent - begin;
}

std::string Shape(const Array& array) {
  std::string text = fmt::format("{}", array.extent.width);
  if (array.extent.height != 0) text += fmt::format("x{}", array.extent.height);
  if (array.extent.depth != 0) text += fmt::format("x{}", array.extent.depth);
  return text + fmt::format(" elements of {} bytes", array.layout.TexelBytes());
}

}  // namespace

cudaError_t Locate(Runtime& runtime, const void* pointer, std::uint64_t bytes, Side side,
                   Place* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* allocation = runtime.memory.Find(pointer);
  if (allocation != nullptr) {
    if (!allocation->Holds(pointer, bytes)) return cudaErrorInvalidValue;
    if (allocation->host == nullptr) {
      *place = {.device = address};
      return side == Side::kHost ? cudaErrorInvalidValue : cudaSuccess;
    }
    *place = {.host = allocation->host + allocation->OffsetOf(pointer)};
    return cudaSuccess;
  }
  const bool on_host = side != Side::kDevice && runtime.memory.IsOfProcess(pointer, bytes);
  if (side == Side::kHost && !on_host) return cudaErrorInvalidValue;
  *place = on_host ? Place{.host = static_cast<std::byte*>(const_cast<void*>(pointer))}
                   : Place{.device = address};
  return cudaSuccess;
}

cudaError_t SpanOf(const Box& box, const Extent3& extent, std::uint64_t* bytes) {
  if (extent.height > 1 && box.pitch < extent.width) return cudaErrorInvalidPitchValue;
  const auto span = warpcheck::SpanOf(box.strides(), extent);
  if (span) *bytes = *span;
  return span ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t CopyBox(Runtime& runtime, const Box& to, const Box& from, const Extent3& extent,
                    cudaMemcpyKind kind) {
  const auto number = static_cast<std::size_t>(kind);
  if (number >= std::size(kCopyKinds)) return cudaErrorInvalidMemcpyDirection;
  if (extent.Empty()) return cudaSuccess;
  const auto& [name, to_side, from_side] = kCopyKinds[number];
  CopySide target{.name = "destination", .pointer = to.pointer, .side = to_side};
  CopySide source{.name = "source", .pointer = from.pointer, .side = from_side};
  WARPCHECK_TRY_CODE(SpanOf(to, extent, &target.bytes));
  WARPCHECK_TRY_CODE(SpanOf(from, extent, &source.bytes));
  const cudaError_t error = CopySpans(runtime, to, target, from, source, extent);
  return error == cudaSuccess ? error : Refused(runtime, error, {target, source}, name);
}

cudaError_t FillBox(Runtime& runtime, const Box& to, std::byte value, const Extent3& extent) {
  if (extent.Empty()) return cudaSuccess;
  std::uint64_t bytes = 0;
  Place target;
  if (SpanOf(to, extent, &bytes) != cudaSuccess) return cudaErrorInvalidValue;
  cudaError_t error = Locate(runtime, to.pointer, bytes, Side::kDevice, &target);
  if (error == cudaSuccess && target.host != nullptr) {
    warpcheck::FillBox(target.host, to.strides(), extent, value);
  } else if (error == cudaSuccess) {
    error = ToCuda(runtime.device->FillBox({.address = target.device, .strides = to.strides()},
                                           extent, value));
  }
  const CopySide side{
      .name = "destination", .pointer = to.pointer, .bytes = bytes, .side = Side::kDevice};
  return error == cudaSuccess ? error : Refused(runtime, error, {side}, "it");
}

cudaError_t CopyInOrder(Runtime& runtime, Timing timing, Lane lane, const Box& to, const Box& from,
                        const Extent3& extent, cudaMemcpyKind kind) {
  if (!runtime.streams.Knows(lane.stream)) return cudaErrorInvalidResourceHandle;
  const auto [refused, capture] = AdmitWork(runtime, lane.stream, timing);
  if (refused != cudaSuccess) return refused;
  if (capture != nullptr) {
    return AddCaptured(runtime, *capture, lane.stream,
                       CopyNode{.to = to.pointer,
                                .to_strides = to.strides(),
                                .from = from.pointer,
                                .from_strides = from.strides(),
                                .extent = extent,
                                .kind = kind});
  }
  const Allocation* const source = SharedAt(runtime, from.pointer);
  if (source != nullptr) runtime.host.late().Deliver(source->host, source->bytes);
  const bool asynchronous = timing == Timing::kQueue;
  const Allocation* const target = SharedAt(runtime, to.pointer);
  const auto copy = [&] { return CopyBox(runtime, to, from, extent, kind); };
  std::vector<order::LateWrite> late;
  if (asynchronous && target != nullptr &&
      !(OnHost(runtime, to.pointer) && OnHost(runtime, from.pointer))) {
    WARPCHECK_TRY_CODE(WriteLate(runtime, *target, to, extent, &late, copy));
  } else {
    if (target != nullptr) runtime.host.late().Deliver(target->host, target->bytes);
    WARPCHECK_TRY_CODE(copy());
  }
  if (extent.Empty()) return cudaSuccess;
  HostEvent event = runtime.host.CopyIn(lane, asynchronous, {to.pointer, to.strides()},
                                        {from.pointer, from.strides()}, extent);
  event.late = std::move(late);
  runtime.host.Append(std::move(event));
  return cudaSuccess;
}

cudaError_t CopyInOrder(Runtime& runtime, Timing timing, Lane lane, const CopyNode& copy) {
  return CopyInOrder(runtime, timing, lane, BoxAt(copy.to, copy.to_strides),
                     BoxAt(copy.from, copy.from_strides), copy.extent, copy.kind);
}

cudaError_t FillInOrder(Runtime& runtime, bool asynchronous, Lane lane, const FillNode& fill) {
  if (!runtime.streams.Knows(lane.stream)) return cudaErrorInvalidResourceHandle;
  const auto [refused, capture] =
      AdmitWork(runtime, lane.stream, asynchronous ? Timing::kQueue : Timing::kWait);
  if (refused != cudaSuccess) return refused;
  if (capture != nullptr) return AddCaptured(runtime, *capture, lane.stream, fill);
  const auto write = [&] { return FillElements(runtime, fill); };
  const Allocation* const shared = SharedAt(runtime, fill.to);
  std::vector<order::LateWrite> late;
  if (shared != nullptr && asynchronous) {
    const Box to = BoxAt(fill.to, fill.strides);
    WARPCHECK_TRY_CODE(WriteLate(runtime, *shared, to, fill.extent, &late, write));
  } else {
    if (shared != nullptr) runtime.host.late().Deliver(shared->host, shared->bytes);
    WARPCHECK_TRY_CODE(write());
  }
  if (fill.extent.Empty()) return cudaSuccess;
  HostEvent event = runtime.host.FillIn(lane, asynchronous, {fill.to, fill.strides}, fill.extent);
  event.late = std::move(late);
  runtime.host.Append(std::move(event));
  return cudaSuccess;
}

cudaError_t BoxInArray(Runtime& runtime, cudaArray_const_t array, const cudaPos& from,
                       const Extent3& extent, const char* side, Box* box) {
  const Array* known = runtime.textures.Find(array);
  if (known == nullptr) {
    NoteMisuse(
        runtime, FindingKind::kInvalidHandle,
        fmt::format(
            "{} gets {} as {}: it returned cudaErrorInvalidValue", CurrentCall().Text(),
            array == nullptr ? "no CUDA array" : "a CUDA array that was freed, or never allocated",
            side));
    return cudaErrorInvalidValue;
  }
  const TextureDescriptor& layout = known->layout;
  if (Reaches(from.x, extent.width, layout.RowBytes()) ||
      Reaches(from.y, extent.height, known->Rows()) ||
      Reaches(from.z, extent.depth, known->Slices())) {
    NoteMisuse(runtime, FindingKind::kWrongCopy,
               fmt::format("{} did nothing: the {} is too small: {} bytes of {} rows and {} slices "
                           "from byte {}, row {}, slice {} of a CUDA array of {}",
                           CurrentCall().Text(), side, extent.width, extent.height, extent.depth,
                           from.x, from.y, from.z, Shape(*known)));
    return cudaErrorInvalidValue;
  }
  const DeviceAddress address =
      layout.texels + from.z * layout.layer + from.y * layout.pitch + from.x;
  *box = {.pointer = reinterpret_cast<const void*>(address),
          .pitch = layout.pitch,
          .slice = layout.layer};
  return cudaSuccess;
}

}  // namespace warpcheck::cudart
