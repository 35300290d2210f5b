// CUDA arrays (CUDA Runtime API, "Memory Management"): allocation and what they are.
#include <fmt/format.h>

#include "base/round_up.h"
#include "cudart/call.h"
#include "cudart/call_site.h"
#include "cudart/channel_format.h"
#include "cudart/texture_limits.h"

namespace warpcheck::cudart {
namespace {

constexpr unsigned kFlags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayTextureGather;

bool FitsIn(const cudaExtent& extent, const cudaExtent& most) {
  return extent.width <= most.width && extent.height <= most.height && extent.depth <= most.depth;
}

// Whether there are arrays of that shape.
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
  Device& device = *runtime.device();
  if (device.Properties().texture_objects == 0) return NotSupported(runtime, function);
  Array array{.format = *format, .extent = extent, .flags = flags, .layout = {}};
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
  *out = runtime.textures().Add(array);
  runtime.misuse().Allocated(*out, array.Bytes());
  return cudaSuccess;
}

cudaError_t Release(Runtime& runtime, cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const Array* known = runtime.textures().Find(array);
  if (known == nullptr) {
    NoteMisuse(runtime, FindingKind::kInvalidFree,
               fmt::format("{} cannot free its argument: {}", CurrentCall().Text(),
                           runtime.misuse().WhyNotFreed(runtime.memory(), array)));
    return cudaErrorInvalidValue;
  }
  const cudaError_t error = ToCuda(runtime.device()->Free(known->layout.texels));
  runtime.misuse().Freed(array);
  runtime.textures().Remove(array);
  return error;
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
    const Array* known = runtime.textures().Find(array);
    if (known == nullptr) return cudaErrorInvalidValue;
    if (format != nullptr) *format = known->format;
    if (extent != nullptr) *extent = known->extent;
    if (flags != nullptr) *flags = known->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Array* known = runtime.textures().Find(array);
    if (format == nullptr || known == nullptr) return cudaErrorInvalidValue;
    *format = known->format;
    return cudaSuccess;
  });
}
