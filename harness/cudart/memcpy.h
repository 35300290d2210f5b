// Copies in the order of a stream, for the entry points.
#pragma once

#include "cudart/call.h"
#include "cudart/transfer.h"

namespace warpcheck::cudart {

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
