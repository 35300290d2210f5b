// Runs the body of an entry point under the runtime's mutex. Applies CUDA's rules for errors, and
// lets no exception out.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>
#include <new>

#include "cudart/runtime.h"

namespace warpcheck::cudart {

enum class Timing {
  kHost,         // needs no work of the device; a fault that was not reported remains unreported
  kQueue,        // queues work; a later call reports its faults
  kWait,         // waits for the device and reports earlier faults
  kWaitForPart,  // waits as kWait does, but for one stream or event only
  kAsk,          // asks whether work is done; reports faults without waiting
};

// Returns the error that ends the call before its own work: cudaErrorNoDevice, a sticky error, or
// an earlier fault that this call must report.
cudaError_t BeginCall(Runtime& runtime, Timing timing);
// Records `error`, and returns the result of the call.
cudaError_t EndCall(Runtime& runtime, Timing timing, cudaError_t error);

// Returns the result of `body`, or the error that stands for its exception.
template <class Body>
cudaError_t ResultOf(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  } catch (...) {
    return cudaErrorUnknown;
  }
}

template <class Body>
cudaError_t Call(Timing timing, Body&& body) noexcept {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  return ResultOf([&] {
    cudaError_t error = BeginCall(runtime, timing);
    if (error == cudaSuccess && !(timing == Timing::kQueue && runtime.pending != cudaSuccess)) {
      error = ResultOf([&] { return body(runtime); });
    }
    return EndCall(runtime, timing, error);
  });
}

// Tells the device which function warpcheck does not offer, and returns cudaErrorNotSupported.
cudaError_t NotSupported(Runtime& runtime, const char* function);

}  // namespace warpcheck::cudart
