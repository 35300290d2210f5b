#include "cudart/transfer.h"

#include <fmt/format.h>

#include <cstring>
#include <initializer_list>

#include "cudart/call_site.h"
#include "cudart/explain_copy.h"
#include "cudart/host_pages.h"

namespace warpcheck::cudart {
namespace {

bool Contiguous(const Box& box, const Extent3& extent) {
  const bool rows = extent.height == 1 || box.pitch == extent.width;
  return rows && (extent.depth == 1 || box.layer == extent.width * extent.height);
}

// Calls `row` with the offset of every row in both boxes, until one fails.
template <class Row>
cudaError_t ForEachRow(const Box& a, const Box& b, const Extent3& extent, Row row) {
  for (std::uint64_t z = 0; z < extent.depth; ++z) {
    for (std::uint64_t y = 0; y < extent.height; ++y) {
      const cudaError_t error = row(z * a.layer + y * a.pitch, z * b.layer + y * b.pitch);
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t SidesOf(cudaMemcpyKind kind, Side* to, Side* from) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      *to = *from = Side::kHost;
      return cudaSuccess;
    case cudaMemcpyHostToDevice:
      *to = Side::kDevice;
      *from = Side::kHost;
      return cudaSuccess;
    case cudaMemcpyDeviceToHost:
      *to = Side::kHost;
      *from = Side::kDevice;
      return cudaSuccess;
    case cudaMemcpyDeviceToDevice:
      *to = *from = Side::kDevice;
      return cudaSuccess;
    case cudaMemcpyDefault:
      *to = *from = Side::kEither;
      return cudaSuccess;
  }
  return cudaErrorInvalidMemcpyDirection;
}

cudaError_t Locate(Runtime& runtime, const void* pointer, std::uint64_t bytes, Side side,
                   Place* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const Allocation* allocation = runtime.memory().Find(pointer);
  if (allocation != nullptr) {
    if (!MemoryTable::Holds(*allocation, pointer, bytes)) return cudaErrorInvalidValue;
    if (allocation->host == nullptr) {
      *place = {.device = address};
      return side == Side::kHost ? cudaErrorInvalidValue : cudaSuccess;
    }
    const bool host_side = address - allocation->start < allocation->bytes;
    *place = {.host = allocation->host +
                      (address - (host_side ? allocation->start : allocation->device))};
    return cudaSuccess;
  }
  const bool on_host =
      side != Side::kDevice && !runtime.memory().IsDevicePage(pointer) && IsMapped(pointer, bytes);
  if (side == Side::kHost && !on_host) return cudaErrorInvalidValue;
  *place = on_host ? Place{.host = static_cast<std::byte*>(const_cast<void*>(pointer))}
                   : Place{.device = address};
  return cudaSuccess;
}

cudaError_t CopyBytes(Device& device, Place to, Place from, std::uint64_t bytes) {
  if (to.host != nullptr && from.host != nullptr) {
    std::memmove(to.host, from.host, bytes);
    return cudaSuccess;
  }
  if (to.host != nullptr) return ToCuda(device.Read(from.device, {to.host, bytes}));
  if (from.host != nullptr) return ToCuda(device.Write(to.device, {from.host, bytes}));
  return ToCuda(device.Copy(to.device, from.device, bytes));
}

cudaError_t FillBytes(Device& device, Place to, std::byte value, std::uint64_t bytes) {
  if (to.host == nullptr) return ToCuda(device.Fill(to.device, value, bytes));
  std::memset(to.host, static_cast<int>(value), bytes);
  return cudaSuccess;
}

cudaError_t SpanOf(const Box& box, const Extent3& extent, std::uint64_t* bytes) {
  std::uint64_t rows = 0;
  std::uint64_t layers = 0;
  if (extent.height > 1 && box.pitch < extent.width) return cudaErrorInvalidPitchValue;
  if (__builtin_mul_overflow(extent.height - 1, box.pitch, &rows) ||
      __builtin_mul_overflow(extent.depth - 1, box.layer, &layers) ||
      __builtin_add_overflow(rows, layers, &rows) ||
      __builtin_add_overflow(rows, extent.width, bytes)) {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

namespace {

// Tells the device's log what is wrong with a refused copy or fill; gives `error` back.
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

// Both spans are known.
cudaError_t CopySpans(Runtime& runtime, const Box& to, const CopySide& target_side, const Box& from,
                      const CopySide& source_side, const Extent3& extent) {
  Place target;
  Place source;
  cudaError_t error = Locate(runtime, to.pointer, target_side.bytes, target_side.side, &target);
  if (error == cudaSuccess) {
    error = Locate(runtime, from.pointer, source_side.bytes, source_side.side, &source);
  }
  if (error != cudaSuccess) return error;
  if (Contiguous(to, extent) && Contiguous(from, extent)) {
    return CopyBytes(*runtime.device(), target, source, source_side.bytes);
  }
  return ForEachRow(to, from, extent, [&](std::uint64_t to_offset, std::uint64_t from_offset) {
    return CopyBytes(*runtime.device(), target + to_offset, source + from_offset, extent.width);
  });
}

}  // namespace

cudaError_t CopyBox(Runtime& runtime, const Box& to, const Box& from, const Extent3& extent,
                    cudaMemcpyKind kind) {
  Side to_side = Side::kEither;
  Side from_side = Side::kEither;
  cudaError_t error = SidesOf(kind, &to_side, &from_side);
  if (error != cudaSuccess || extent.Empty()) return error;
  CopySide target{.name = "destination", .pointer = to.pointer, .side = to_side};
  CopySide source{.name = "source", .pointer = from.pointer, .side = from_side};
  if ((error = SpanOf(to, extent, &target.bytes)) != cudaSuccess ||
      (error = SpanOf(from, extent, &source.bytes)) != cudaSuccess) {
    return error;
  }
  error = CopySpans(runtime, to, target, from, source, extent);
  return error == cudaSuccess ? error : Refused(runtime, error, {target, source}, NameOf(kind));
}

cudaError_t FillBox(Runtime& runtime, const Box& to, std::byte value, const Extent3& extent) {
  if (extent.Empty()) return cudaSuccess;
  std::uint64_t bytes = 0;
  Place target;
  cudaError_t error = SpanOf(to, extent, &bytes);
  if (error == cudaErrorInvalidPitchValue) error = cudaErrorInvalidValue;
  if (error != cudaSuccess) return error;
  error = Locate(runtime, to.pointer, bytes, Side::kDevice, &target);
  if (error == cudaSuccess && Contiguous(to, extent)) {
    error = FillBytes(*runtime.device(), target, value, bytes);
  } else if (error == cudaSuccess) {
    error = ForEachRow(to, to, extent, [&](std::uint64_t offset, std::uint64_t) {
      return FillBytes(*runtime.device(), target + offset, value, extent.width);
    });
  }
  const CopySide side{
      .name = "destination", .pointer = to.pointer, .bytes = bytes, .side = Side::kDevice};
  return error == cudaSuccess ? error : Refused(runtime, error, {side}, "it");
}

}  // namespace warpcheck::cudart
