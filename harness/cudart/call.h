// How every entry point runs: under the runtime's mutex, with CUDA's rules for errors, and with no
// exception leaving it.
#pragma once

#include <new>
#include <string>

#include "cudart/runtime.h"

namespace warpcheck::cudart {

// Which call of the runtime API is running, and from where: by walking the stack, so that it costs
// nothing until somebody asks.

struct CallSite {
  std::string function;  // "cudaMemcpyAsync"; "a CUDA call" where it is not known
  std::string caller;    // "transpose(float const*, float*, int, int)"; empty where not known

  std::string Text() const;  // "cudaMemcpyAsync in transpose(...)"
};

// The outermost entry point of the API on this thread's stack. Its caller is the first function in
// another object that has a name there; `skip` is the address of one that does not count.
CallSite CurrentCall(const void* skip = nullptr);

enum class Timing {
  kHost,         // touches no work of the device: an unreported fault stays unreported
  kQueue,        // hands work to the device: what goes wrong there is reported by a later call
  kWait,         // waits for the device: reports what went wrong before
  kWaitForPart,  // the same, but waits for one stream or event alone
  kAsk,          // asks whether work is done: reports what went wrong, and waits for nothing
};

// What the call returns before its own work: cudaErrorNoDevice, a sticky error, or an earlier
// fault that this call is to report.
cudaError_t BeginCall(Runtime& runtime, Timing timing);
// Records `error` and gives what the call returns.
cudaError_t EndCall(Runtime& runtime, Timing timing, cudaError_t error);

template <class Body>
cudaError_t Call(Timing timing, Body&& body) noexcept {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex());
  cudaError_t error = BeginCall(runtime, timing);
  if (error == cudaSuccess && !(timing == Timing::kQueue && runtime.pending() != cudaSuccess)) {
    try {
      error = body(runtime);
    } catch (const std::bad_alloc&) {
      error = cudaErrorMemoryAllocation;
    } catch (...) {
      error = cudaErrorUnknown;
    }
  }
  return EndCall(runtime, timing, error);
}

// cudaErrorNotSupported, once the device knows which function it was.
cudaError_t NotSupported(Runtime& runtime, const char* function);

}  // namespace warpcheck::cudart
