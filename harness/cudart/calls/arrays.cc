// Implements CUDA arrays, and copies from and to them (CUDA Runtime API, "Memory Management").
#include <fmt/format.h>

#include <algorithm>

#include "base/round_up.h"
#include "cudart/call.h"
#include "cudart/runtime.h"
#include "cudart/texture_table.h"
#include "cudart/transfer.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

constexpr unsigned kFlags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;

bool FitsIn(const cudaExtent& extent, const cudaExtent& most) {
  return extent.width <= most.width && extent.height <= most.height && extent.depth <= most.depth;
}

// Returns true if arrays can have that shape.
bool IsExtent(const cudaExtent& extent, unsigned flags) {
  if (extent.width == 0) return false;
  if ((flags & cudaArrayLayered) != 0)
    return extent.depth != 0 && FitsIn(extent, kMaxTextureLayered);
  if (extent.depth != 0) return extent.height != 0 && FitsIn(extent, kMaxTexture3D);
  return FitsIn(extent, extent.height != 0 ? kMaxTexture2D : kMaxTexture1D);
}

cudaError_t Allocate(Runtime& runtime, const char* function, cudaArray_t* out,
                     const cudaChannelFormatDesc* format, const cudaExtent& extent,
                     unsigned flags) {
  if (out == nullptr || format == nullptr) return cudaErrorInvalidValue;
  Device& device = *runtime.device;
  Array array{.format = *format, .extent = extent, .flags = flags};
  TextureDescriptor& layout = array.layout;
  const cudaError_t error = ReadFormat(*format, &layout);
  if (error == cudaErrorNotSupported) return NotSupported(runtime, function);
  if (error != cudaSuccess) return error;
  if ((flags & ~kFlags) != 0) return NotSupported(runtime, function);
  if (!IsExtent(extent, flags)) return cudaErrorInvalidValue;
  layout.width = static_cast<std::uint32_t>(extent.width);
  layout.height = static_cast<std::uint32_t>(extent.height);
  (array.Layered() ? layout.layers : layout.depth) = static_cast<std::uint32_t>(extent.depth);
  layout.pitch = RoundUp(layout.RowBytes(), kTexturePitchAlignment);
  layout.layer = layout.pitch * array.Rows();
  const auto address = device.Allocate(layout.layer * array.Slices());
  if (!address) return ToCuda(address.error());
  layout.texels = *address;
  *out = runtime.textures.Add(array);
  runtime.misuse.Allocated(*out, array.Bytes());
  return cudaSuccess;
}

cudaError_t Release(Runtime& runtime, cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const Array* known = runtime.textures.Find(array);
  if (known == nullptr) {
    runtime.misuse.NoteInvalidFree(runtime, array);
    return cudaErrorInvalidValue;
  }
  const cudaError_t error = ToCuda(runtime.device->Free(known->layout.texels));
  runtime.misuse.Freed(array);
  runtime.textures.Remove(array);
  return error;
}

// A CopyEnd is one end of a copy: a CUDA array, or otherwise a box of memory.
struct CopyEnd {
  cudaArray_const_t array = nullptr;
  cudaPos at = {};
  Box box = {};
};

cudaError_t BoxOf(Runtime& runtime, const CopyEnd& side, const Extent3& extent, const char* name,
                  Box* box) {
  *box = side.box;
  if (side.array == nullptr) {
    return extent.width > box->pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
  }
  return BoxInArray(runtime, side.array, side.at, extent, name, box);
}

cudaError_t Copy(Timing timing, cudaStream_t stream, const CopyEnd& to, const CopyEnd& from,
                 const Extent3& extent, cudaMemcpyKind kind) {
  return Call(timing, [&](Runtime& runtime) {
    Box target;
    Box source;
    WARPCHECK_TRY_CODE(BoxOf(runtime, to, extent, "destination", &target));
    WARPCHECK_TRY_CODE(BoxOf(runtime, from, extent, "source", &source));
    return CopyInOrder(runtime, timing, stream, target, source, extent, kind);
  });
}

CopyEnd InArray(cudaArray_const_t array, std::size_t x, std::size_t y) {
  return {.array = array, .at = {x, y, 0}};
}

CopyEnd Pitched(const void* pointer, std::size_t pitch) {
  return {.array = nullptr, .at = {}, .box = {.pointer = pointer, .pitch = pitch}};
}

// Visits the rows of a run of bytes that fills an array's rows one after the other: the rest of the
// first row, the whole rows, and a part of the last row. `copy` gets (y, x, extent, bytes before).
template <class Piece>
cudaError_t ForEachPiece(std::uint64_t row_bytes, std::size_t x, std::size_t y, std::size_t bytes,
                         Piece copy) {
  std::size_t done = 0;
  while (done < bytes) {
    const std::size_t first = std::min(bytes - done, row_bytes - x);
    const std::size_t rows = x == 0 && first == row_bytes ? (bytes - done) / row_bytes : 1;
    const cudaError_t error = copy(y, x, Extent3{.width = first, .height = rows}, done);
    if (error != cudaSuccess) return error;
    done += first * rows;
    y += rows;
    x = 0;
  }
  return cudaSuccess;
}

// Implements cudaMemcpyToArray and cudaMemcpyFromArray, which CUDA has deprecated and still offers.
cudaError_t CopyRun(Timing timing, cudaStream_t stream, bool to_array, cudaArray_const_t array,
                    std::size_t x, std::size_t y, const void* memory, std::size_t bytes,
                    cudaMemcpyKind kind) {
  return Call(timing, [&](Runtime& runtime) {
    const Array* known = runtime.textures.Find(array);
    if (known == nullptr || x >= known->layout.RowBytes()) return cudaErrorInvalidValue;
    const std::uint64_t row = known->layout.RowBytes();
    return ForEachPiece(row, x, y, bytes, [&](auto at_y, auto at_x, auto extent, auto before) {
      Box box;
      WARPCHECK_TRY_CODE(BoxInArray(runtime, array, {at_x, at_y, 0}, extent,
                                    to_array ? "destination" : "source", &box));
      const Box plain = {.pointer = static_cast<const std::byte*>(memory) + before, .pitch = row};
      return CopyInOrder(runtime, timing, stream, to_array ? box : plain, to_array ? plain : box,
                         extent, kind);
    });
  });
}

}  // namespace

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if ((flags & cudaArrayLayered) != 0) return cudaErrorInvalidValue;
    return Allocate(runtime, "cudaMallocArray", array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    return Allocate(runtime, "cudaMalloc3DArray", array, format, extent, flags);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  return Call(Timing::kWait, [&](Runtime& runtime) { return Release(runtime, array); });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Array* known = runtime.textures.Find(array);
    if (known == nullptr) return cudaErrorInvalidValue;
    if (format != nullptr) *format = known->format;
    if (extent != nullptr) *extent = known->extent;
    if (flags != nullptr) *flags = known->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Array* known = runtime.textures.Find(array);
    if (format == nullptr || known == nullptr) return cudaErrorInvalidValue;
    *format = known->format;
    return cudaSuccess;
  });
}

// Copies from and to CUDA arrays (CUDA Runtime API, "Memory Management").

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return Copy(Timing::kWait, nullptr, InArray(to, x, y), Pitched(from, pitch),
              {.width = width, .height = height}, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return Copy(Timing::kQueue, stream, InArray(to, x, y), Pitched(from, pitch),
              {.width = width, .height = height}, kind);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return Copy(Timing::kWait, nullptr, Pitched(to, pitch), InArray(from, x, y),
              {.width = width, .height = height}, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return Copy(Timing::kQueue, stream, Pitched(to, pitch), InArray(from, x, y),
              {.width = width, .height = height}, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return Copy(Timing::kWait, nullptr, InArray(to, to_x, to_y), InArray(from, from_x, from_y),
              {.width = width, .height = height}, kind);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  return CopyRun(Timing::kWait, nullptr, true, to, x, y, from, bytes, kind);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return CopyRun(Timing::kQueue, stream, true, to, x, y, from, bytes, kind);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return CopyRun(Timing::kWait, nullptr, false, from, x, y, to, bytes, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return CopyRun(Timing::kQueue, stream, false, from, x, y, to, bytes, kind);
}
