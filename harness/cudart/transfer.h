// Copies between host memory and the device. Finds out first where each side really lies.
#pragma once

#include "cudart/call.h"
#include "cudart/graphs/node.h"

namespace warpcheck::cudart {

// The place of one side: in this process (`host`) or on the device.
struct Place {
  std::byte* host = nullptr;
  DeviceAddress device = 0;
};

enum class Side { kHost, kDevice, kEither };

// Finds out where the `bytes` from `pointer` on lie. Memory that both sides see counts as memory of
// either. Returns cudaErrorInvalidValue if they are not on `side`, or if the memory ends too soon.
// Leaves it to the device to check a range of device memory outside the program's own allocations.
cudaError_t Locate(Runtime& runtime, const void* pointer, std::uint64_t bytes, Side side,
                   Place* place);

// Rows of bytes that begin at a pointer.
struct Box {
  const void* pointer = nullptr;
  std::uint64_t pitch = 0;
  std::uint64_t slice = 0;

  Strides strides() const { return {.pitch = pitch, .slice = slice}; }
};

inline Box BoxAt(const void* pointer, const Strides& strides) {
  return {.pointer = pointer, .pitch = strides.pitch, .slice = strides.slice};
}

// Computes the bytes from the first to the last byte of a box. Returns cudaErrorInvalidValue if
// that overflows or slices overlap, and cudaErrorInvalidPitchValue if rows overlap.
cudaError_t SpanOf(const Box& box, const Extent3& extent, std::uint64_t* bytes);

cudaError_t CopyBox(Runtime& runtime, const Box& to, const Box& from, const Extent3& extent,
                    cudaMemcpyKind kind);
cudaError_t FillBox(Runtime& runtime, const Box& to, std::byte value, const Extent3& extent);

// Copies in the order of a stream, within a call of `timing`, or adds the copy to the graph that
// captures the stream. An asynchronous copy (kQueue) to memory that the host and the device share
// arrives late (order/late_writes.h).
cudaError_t CopyInOrder(Runtime& runtime, Timing timing, Lane lane, const Box& to, const Box& from,
                        const Extent3& extent, cudaMemcpyKind kind);

cudaError_t CopyInOrder(Runtime& runtime, Timing timing, Lane lane, const CopyNode& copy);

// Fills in the order of a stream, or adds the fill to the graph that captures the stream.
// What an asynchronous fill writes to memory that the host and the device share arrives late, too.
cudaError_t FillInOrder(Runtime& runtime, bool asynchronous, Lane lane, const FillNode& fill);

// Finds a part of a CUDA array. `x` and extent.width are in bytes; `y` and `z` count rows and
// slices. Returns cudaErrorInvalidValue for an invalid handle and for a part outside the array. It
// reports a part outside to the log, which calls the array `side` (such as "source").
cudaError_t BoxInArray(Runtime& runtime, cudaArray_const_t array, const cudaPos& from,
                       const Extent3& extent, const char* side, Box* box);

}  // namespace warpcheck::cudart
