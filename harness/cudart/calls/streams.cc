// Implements streams (CUDA Runtime API, "Stream Management").
#include <algorithm>
#include <utility>

#include "cudart/call.h"
#include "cudart/stream_capture.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

cudaError_t Create(cudaStream_t* stream, unsigned flags, int priority) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const bool known = flags == cudaStreamDefault || flags == cudaStreamNonBlocking;
    if (stream == nullptr || !known) return cudaErrorInvalidValue;
    *stream = runtime.streams.CreateStream(flags,
                                           std::clamp(priority, kGreatestPriority, kLeastPriority));
    runtime.misuse.Made(HandleKind::kStream, *stream);
    runtime.host.Start();
    HostEvent event = runtime.host.EventIn(*stream, HostEvent::Kind::kStreamCreate);
    if (flags == cudaStreamNonBlocking) event.stream_kind = order::StreamKind::kNonBlocking;
    runtime.host.Append(std::move(event));
    return cudaSuccess;
  });
}

cudaError_t WaitFor(cudaStream_t stream, Timing timing) {
  return Call(timing, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    WARPCHECK_TRY_CODE(AdmitWait(runtime, stream));
    if (timing == Timing::kAsk && !runtime.host.IsDone(stream)) return cudaErrorNotReady;
    HostEvent wait = runtime.host.EventIn(stream, HostEvent::Kind::kHostWait);
    wait.waits_for = HostCall::WaitsFor::kStream;
    runtime.host.Append(std::move(wait));
    return cudaSuccess;
  });
}

// Returns one property of a known stream.
template <class T>
cudaError_t Get(cudaStream_t stream, T* out, T (*property)(const Stream&)) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Stream* found = runtime.streams.Find(stream);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (out == nullptr) return cudaErrorInvalidValue;
    *out = property(*found);
    return cudaSuccess;
  });
}

// Call it after a function of the host has run in a stream.
void EndHostFunction() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  runtime.host.Open();
  runtime.host.Append({.kind = HostEvent::Kind::kHostFunctionEnd});
  runtime.host.Close();
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return Create(stream, cudaStreamDefault, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return Create(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return Create(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (Capture* const capture = runtime.captures.Of(stream);
        capture != nullptr && !capture->invalid && capture->origin == KeyOf(stream)) {
      static_cast<void>(Invalidate(runtime, *capture, cudaSuccess));
    }
    if (!runtime.streams.Destroy(stream, warpcheck::CurrentCall().address))
      return cudaErrorInvalidResourceHandle;
    runtime.misuse.GaveBack(HandleKind::kStream, stream);
    runtime.host.Append(runtime.host.EventIn(stream, HostEvent::Kind::kStreamDestroy));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return WaitFor(stream, Timing::kWaitForPart);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return WaitFor(stream, Timing::kAsk); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return Get<int>(stream, priority, [](const Stream& s) { return s.priority; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return Get<unsigned>(stream, flags, [](const Stream& s) { return s.flags; });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return Get<unsigned long long>(stream, id,
                                 [](const Stream& s) { return (unsigned long long){s.id}; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return Get<int>(stream, device, [](const Stream&) { return 0; });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    WARPCHECK_TRY_CODE(AdmitWork(runtime, stream, Timing::kWaitForPart).error);
    const Allocation* allocation = runtime.memory.Find(pointer);
    return allocation != nullptr && allocation->managed() ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// Both functions run the given function immediately and outside the runtime's mutex, because CUDA
// runs it on a thread of its own. After a fault nothing more runs in a stream, except a stream's
// callback, which gets the error.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  bool run = false;
  const cudaError_t error = Call(Timing::kQueue, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (function == nullptr) return cudaErrorInvalidValue;
    const auto [refused, capture] = AdmitWork(runtime, stream, Timing::kQueue);
    if (refused != cudaSuccess) return refused;
    if (capture != nullptr) {
      return AddCaptured(runtime, *capture, stream, HostNode{.function = function, .data = data});
    }
    runtime.host.Append(runtime.host.HostFunctionIn(stream));
    run = true;
    return cudaSuccess;
  });
  if (run) {
    function(data);
    EndHostFunction();
  }
  return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  cudaError_t status = cudaSuccess;
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    WARPCHECK_TRY_CODE(AdmitWork(runtime, stream, Timing::kWaitForPart).error);
    runtime.host.Append(runtime.host.HostFunctionIn(stream));
    status = runtime.pending;
    return cudaSuccess;
  });
  if (error == cudaSuccess) {
    callback(stream, status, data);
    EndHostFunction();
  }
  return error;
}
