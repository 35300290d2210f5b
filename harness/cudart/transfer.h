// Copies between host memory and the device, by where each side really is.
#pragma once

#include "cudart/runtime.h"

namespace warpcheck::cudart {

// Bytes of one side, in this process (`host`) or on the device.
struct Place {
  std::byte* host = nullptr;
  DeviceAddress device = 0;
};

enum class Side { kHost, kDevice, kEither };

// Where the `bytes` from `pointer` on are. Memory that both sides see counts as either.
// cudaErrorInvalidValue where it is not on that side, or ends before. A device range outside the
// program's own allocations is left for the device to judge.
cudaError_t Locate(Runtime& runtime, const void* pointer, std::uint64_t bytes, Side side,
                   Place* place);

// Rows of bytes from a pointer on.
struct Box {
  const void* pointer = nullptr;
  std::uint64_t pitch = 0;
  std::uint64_t slice = 0;

  Strides strides() const { return {.pitch = pitch, .slice = slice}; }
};

// Bytes from the start of a box to its last byte; cudaErrorInvalidValue where that overflows or
// slices overlap, cudaErrorInvalidPitchValue where rows do.
cudaError_t SpanOf(const Box& box, const Extent3& extent, std::uint64_t* bytes);

cudaError_t CopyBox(Runtime& runtime, const Box& to, const Box& from, const Extent3& extent,
                    cudaMemcpyKind kind);
cudaError_t FillBox(Runtime& runtime, const Box& to, std::byte value, const Extent3& extent);

// Copies in the order of a stream, for the entry points (memcpy.cc).

// Within a call of `timing`, kWait for those that wait for their end: what kQueue copies to pinned
// memory arrives late.
cudaError_t CopyInOrder(Runtime& runtime, Timing timing, cudaStream_t stream, const Box& to,
                        const Box& from, const Extent3& extent, cudaMemcpyKind kind);

// A part of a CUDA array: `x` and extent.width in bytes, rows and slices from `y` and `z` on.
// cudaErrorInvalidValue for a handle that is none, or a part outside; tells the log of a part
// outside, which `side` ("source") names.
cudaError_t BoxInArray(Runtime& runtime, cudaArray_const_t array, const cudaPos& from,
                       const Extent3& extent, const char* side, Box* box);

}  // namespace warpcheck::cudart
