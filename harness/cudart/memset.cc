// Fills (CUDA Runtime API, "Memory Management"). Like a kernel, a fill does not wait for its end.
#include "cudart/call.h"
#include "cudart/transfer.h"

namespace warpcheck::cudart {
namespace {

cudaError_t Fill(cudaStream_t stream, const Box& to, int value, const Extent3& extent) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    if (!runtime.streams().Knows(stream)) return cudaErrorInvalidResourceHandle;
    runtime.late_copies().Deliver();
    return FillBox(runtime, to, static_cast<std::byte>(value), extent);
  });
}

cudaError_t Fill3D(cudaStream_t stream, const cudaPitchedPtr& to, int value,
                   const cudaExtent& extent) {
  return Fill(stream, {.pointer = to.ptr, .pitch = to.pitch, .slice = to.pitch * to.ysize}, value,
              {.width = extent.width, .height = extent.height, .depth = extent.depth});
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return Fill(nullptr, {.pointer = to}, value, {.width = bytes, .height = 1});
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return Fill(stream, {.pointer = to}, value, {.width = bytes, .height = 1});
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return Fill(nullptr, {.pointer = to, .pitch = pitch}, value, {.width = width, .height = height});
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return Fill(stream, {.pointer = to, .pitch = pitch}, value, {.width = width, .height = height});
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return Fill3D(nullptr, to, value, extent);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return Fill3D(stream, to, value, extent);
}
