// Implements copies (CUDA Runtime API, "Memory Management").
#include "cudart/calls/memcpy.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/text/demangle.h"
#include "cudart/call.h"
#include "cudart/runtime.h"
#include "cudart/transfer.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

cudaError_t Copy(Timing timing, cudaStream_t stream, const Box& to, const Box& from,
                 const Extent3& extent, cudaMemcpyKind kind) {
  return Call(timing, [&](Runtime& runtime) {
    return CopyInOrder(runtime, timing, stream, to, from, extent, kind);
  });
}

cudaError_t Copy1D(Timing timing, cudaStream_t stream, void* to, const void* from,
                   std::size_t bytes, cudaMemcpyKind kind) {
  return Copy(timing, stream, {.pointer = to}, {.pointer = from}, {.width = bytes, .height = 1},
              kind);
}

cudaError_t Copy2D(Timing timing, cudaStream_t stream, const Box& to, const Box& from,
                   std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  if (width > to.pitch || width > from.pitch) {
    return Call(timing, [](Runtime&) { return cudaErrorInvalidPitchValue; });
  }
  return Copy(timing, stream, to, from, {.width = width, .height = height}, kind);
}

Box BoxOf(const cudaPitchedPtr& pointer, const cudaPos& position) {
  const std::uint64_t slice = pointer.pitch * pointer.ysize;
  return {.pointer = static_cast<std::byte*>(pointer.ptr) + position.z * slice +
                     position.y * pointer.pitch + position.x,
          .pitch = pointer.pitch,
          .slice = slice};
}

// Converts the extent of a copy from or to an array from elements to bytes.
cudaError_t ToBytes(Runtime& runtime, const cudaMemcpy3DParms& p, Extent3* extent) {
  const Array* to = runtime.textures.Find(p.dstArray);
  const Array* from = runtime.textures.Find(p.srcArray);
  const std::uint64_t to_bytes = to == nullptr ? 0 : to->layout.TexelBytes();
  const std::uint64_t from_bytes = from == nullptr ? 0 : from->layout.TexelBytes();
  if (to_bytes != 0 && from_bytes != 0 && to_bytes != from_bytes) return cudaErrorInvalidValue;
  const std::uint64_t element = std::max({to_bytes, from_bytes, std::uint64_t{1}});
  const bool overflows = __builtin_mul_overflow(extent->width, element, &extent->width);
  return overflows ? cudaErrorInvalidValue : cudaSuccess;
}

// Finds one side of a copy, an array or memory; the extent is in bytes.
cudaError_t SideOf(Runtime& runtime, cudaArray_const_t array, const cudaPitchedPtr& pointer,
                   const cudaPos& position, const Extent3& extent, const char* side, Box* box) {
  if (array == nullptr) {
    *box = BoxOf(pointer, position);
    return extent.width > pointer.pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
  }
  if (pointer.ptr != nullptr) return cudaErrorInvalidValue;
  const Array* known = runtime.textures.Find(array);
  const std::uint64_t element = known == nullptr ? 1 : known->layout.TexelBytes();
  return BoxInArray(runtime, array, {position.x * element, position.y, position.z}, extent, side,
                    box);
}

cudaError_t Copy3D(Timing timing, cudaStream_t stream, const cudaMemcpy3DParms* parameters) {
  return Call(timing, [&](Runtime& runtime) {
    CopyNode copy;
    WARPCHECK_TRY_CODE(CopyOf(runtime, parameters, &copy));
    return CopyInOrder(runtime, timing, stream, copy);
  });
}

cudaError_t CopyPeer(Timing timing, cudaStream_t stream, void* to, int to_device, const void* from,
                     int from_device, std::size_t bytes) {
  if (to_device != 0 || from_device != 0) {
    return Call(timing, [](Runtime&) { return cudaErrorInvalidDevice; });
  }
  return Copy1D(timing, stream, to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t Copy3DPeer(Timing timing, cudaStream_t stream, const cudaMemcpy3DPeerParms* peer) {
  if (peer == nullptr) return Copy3D(timing, stream, nullptr);
  if (peer->srcDevice != 0 || peer->dstDevice != 0) {
    return Call(timing, [](Runtime&) { return cudaErrorInvalidDevice; });
  }
  const cudaMemcpy3DParms parameters = {.srcArray = peer->srcArray,
                                        .srcPos = peer->srcPos,
                                        .srcPtr = peer->srcPtr,
                                        .dstArray = peer->dstArray,
                                        .dstPos = peer->dstPos,
                                        .dstPtr = peer->dstPtr,
                                        .extent = peer->extent,
                                        .kind = cudaMemcpyDeviceToDevice};
  return Copy3D(timing, stream, &parameters);
}

cudaError_t Fill(bool asynchronous, cudaStream_t stream, const Box& to, int value,
                 const Extent3& extent) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    return FillInOrder(runtime, asynchronous, stream,
                       {.to = const_cast<void*>(to.pointer),
                        .strides = to.strides(),
                        .extent = extent,
                        .value = static_cast<unsigned char>(value)});
  });
}

cudaError_t Fill3D(bool asynchronous, cudaStream_t stream, const cudaPitchedPtr& to, int value,
                   const cudaExtent& extent) {
  return Fill(asynchronous, stream,
              {.pointer = to.ptr, .pitch = to.pitch, .slice = to.pitch * to.ysize}, value,
              {.width = extent.width, .height = extent.height, .depth = extent.depth});
}

// Returns the address by which the program sees a variable. For a managed variable this is the
// address of its host memory.
void* AddressOf(const Variable& variable) {
  return variable.managed != nullptr ? *variable.managed
                                     : reinterpret_cast<void*>(variable.address);
}

cudaError_t Copy(Timing timing, cudaStream_t stream, const SymbolCopy& symbol) {
  return Call(timing, [&](Runtime& runtime) {
    CopyNode copy;
    WARPCHECK_TRY_CODE(CopyOf(runtime, symbol, &copy));
    return CopyInOrder(runtime, timing, stream, copy);
  });
}

}  // namespace

cudaError_t CopyOf(Runtime& runtime, const cudaMemcpy3DParms* parameters, CopyNode* copy) {
  if (parameters == nullptr) return cudaErrorInvalidValue;
  const cudaMemcpy3DParms& p = *parameters;
  Extent3 extent{.width = p.extent.width, .height = p.extent.height, .depth = p.extent.depth};
  Box to;
  Box from;
  WARPCHECK_TRY_CODE(ToBytes(runtime, p, &extent));
  WARPCHECK_TRY_CODE(SideOf(runtime, p.dstArray, p.dstPtr, p.dstPos, extent, "destination", &to));
  WARPCHECK_TRY_CODE(SideOf(runtime, p.srcArray, p.srcPtr, p.srcPos, extent, "source", &from));
  *copy = {.to = to.pointer,
           .to_strides = to.strides(),
           .from = from.pointer,
           .from_strides = from.strides(),
           .extent = extent,
           .kind = p.kind,
           .given = p};
  return cudaSuccess;
}

cudaError_t CopyOf(Runtime& runtime, const SymbolCopy& symbol, CopyNode* copy) {
  Variable* variable = nullptr;
  WARPCHECK_TRY_CODE(runtime.registry.FindVariable(runtime, symbol.symbol, &variable));
  const auto expected = symbol.to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (symbol.kind != expected && symbol.kind != cudaMemcpyDeviceToDevice &&
      symbol.kind != cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (symbol.offset > variable->bytes || symbol.bytes > variable->bytes - symbol.offset) {
    NoteMisuse(
        runtime, FindingKind::kWrongCopy,
        fmt::format("{} did nothing: {} from byte {} of {}, which has {}", CurrentCall().Text(),
                    Counted(symbol.bytes, "byte"), Grouped(symbol.offset), Demangle(variable->name),
                    Counted(variable->bytes, "byte")));
    return cudaErrorInvalidValue;
  }
  const void* const device = static_cast<std::byte*>(AddressOf(*variable)) + symbol.offset;
  *copy = {.to = symbol.to_symbol ? device : symbol.memory,
           .from = symbol.to_symbol ? symbol.memory : device,
           .extent = {.width = symbol.bytes},
           .kind = symbol.kind};
  return cudaSuccess;
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return Copy1D(Timing::kWait, nullptr, to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return Copy1D(Timing::kQueue, stream, to, from, bytes, kind);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  return CopyPeer(Timing::kWait, nullptr, to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  return CopyPeer(Timing::kQueue, stream, to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return Copy2D(Timing::kWait, nullptr, {.pointer = to, .pitch = to_pitch},
                {.pointer = from, .pitch = from_pitch}, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return Copy2D(Timing::kQueue, stream, {.pointer = to, .pitch = to_pitch},
                {.pointer = from, .pitch = from_pitch}, width, height, kind);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return Copy3D(Timing::kWait, nullptr, parameters);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return Copy3D(Timing::kQueue, stream, parameters);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return Copy3DPeer(Timing::kWait, nullptr, parameters);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return Copy3DPeer(Timing::kQueue, stream, parameters);
}

// Implements fills (CUDA Runtime API, "Memory Management"). A fill is asynchronous, as a kernel is.

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  return Fill(false, nullptr, {.pointer = to}, value, {.width = bytes, .height = 1});
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return Fill(true, stream, {.pointer = to}, value, {.width = bytes, .height = 1});
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return Fill(false, nullptr, {.pointer = to, .pitch = pitch}, value,
              {.width = width, .height = height});
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return Fill(true, stream, {.pointer = to, .pitch = pitch}, value,
              {.width = width, .height = height});
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return Fill3D(false, nullptr, to, value, extent);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return Fill3D(true, stream, to, value, extent);
}

// Implements the calls with a symbol, a variable of device code (CUDA Runtime API, "Memory
// Management").

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Variable* variable = nullptr;
    if (pointer == nullptr) return cudaErrorInvalidValue;
    WARPCHECK_TRY_CODE(runtime.registry.FindVariable(runtime, symbol, &variable));
    *pointer = AddressOf(*variable);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Variable* variable = nullptr;
    if (bytes == nullptr) return cudaErrorInvalidValue;
    WARPCHECK_TRY_CODE(runtime.registry.FindVariable(runtime, symbol, &variable));
    *bytes = variable->bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return Copy(Timing::kWait, nullptr, {true, symbol, offset, from, bytes, kind});
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return Copy(Timing::kQueue, stream, {true, symbol, offset, from, bytes, kind});
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return Copy(Timing::kWait, nullptr, {false, symbol, offset, to, bytes, kind});
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return Copy(Timing::kQueue, stream, {false, symbol, offset, to, bytes, kind});
}
