// Applies the rules of stream capture to the calls of a program: work that is given to a captured
// stream becomes a node of a graph, and calls that do not go with a capture end it without a graph
// (CUDA Programming Guide, "Prohibited and Unhandled Operations").
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string_view>

#include "cudart/call.h"
#include "cudart/graphs/captures.h"
#include "cudart/graphs/node.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {

struct Admission {
  cudaError_t error = cudaSuccess;  // what the call must return, unless it is cudaSuccess
  Capture* capture = nullptr;       // what captures the stream; nullptr if the call must run
};

// Call this before a call of `timing` gives work to a known stream: the order of the stream may
// matter from then on. `place` is where the program goes on after the call; 0 if it must be looked
// for.
Admission AdmitWork(Runtime& runtime, cudaStream_t stream, Timing timing, std::uint64_t place = 0);
// Call these before a call waits for a stream or event, or asks whether its work is done.
cudaError_t AdmitWait(Runtime& runtime, cudaStream_t stream);
cudaError_t AdmitWait(Runtime& runtime, cudaEvent_t event);
// Call this before a call that no stream sees, such as cudaMalloc. With `always`, no capture mode
// allows it.
cudaError_t AdmitUnsafe(Runtime& runtime, bool always = false);

// Adds a node to a captured stream.
cudaError_t AddCaptured(Runtime& runtime, Capture& capture, cudaStream_t stream, Work work,
                        std::uint64_t place = 0);

// Ends a capture without a graph, and reports the running call. Returns `error`. `why` follows the
// name of the call: "is not allowed while a stream is captured".
cudaError_t Invalidate(Runtime& runtime, Capture& capture, cudaError_t error,
                       std::string_view why = "is not allowed while a stream is captured",
                       std::uint64_t place = 0);

}  // namespace warpcheck::cudart
