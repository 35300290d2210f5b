// The state behind the runtime API of this process. One mutex guards all of it: entry points take
// it through Call and hold it until the device has finished, so that threads of a
// program are served one after the other, which is a legal schedule of their streams.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "base/result.h"
#include "cudart/memory_pools.h"
#include "cudart/memory_table.h"
#include "cudart/misuse.h"
#include "cudart/registry.h"
#include "cudart/streams.h"
#include "cudart/texture_table.h"
#include "device/device.h"

namespace warpcheck::cudart {

inline cudaError_t ToCuda(DeviceError error) { return static_cast<cudaError_t>(error); }

struct DeviceSettings {
  unsigned flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig shared_bank = cudaSharedMemBankSizeDefault;
  std::vector<std::size_t> limits;  // by cudaLimit; see device_calls.cc
};

struct Runtime {
  static Runtime& Get();

  void Attach(Device* new_device);
  // Gives up allocations, modules, streams and settings, as cudaDeviceReset does.
  void Reset();
  void SetSticky(cudaError_t error);
  // Of the calling thread; an Attach clears it in all threads.
  cudaError_t& LastError();

  std::mutex mutex;
  Device* device = nullptr;
  std::uint64_t attachments = 0;
  Registry registry;
  MemoryTable memory;
  MemoryPools pools;
  TextureTable textures;
  StreamTable streams;
  DeviceSettings settings;
  Misuse misuse;
  LateCopies late_copies;
  // What work on the device ended with, and no call has returned yet.
  cudaError_t pending = cudaSuccess;
  cudaError_t sticky = cudaSuccess;  // every call returns it from now on
  std::function<void()> at_wait;     // called whenever the program waits for the device
};

// How every entry point runs: under the runtime's mutex, with CUDA's rules for errors, and with no
// exception leaving it.

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
  const std::lock_guard lock(runtime.mutex);
  cudaError_t error = BeginCall(runtime, timing);
  if (error == cudaSuccess && !(timing == Timing::kQueue && runtime.pending != cudaSuccess)) {
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
