// Implements the calls about events (CUDA Runtime API, "Event Management").
#include <chrono>

#include "cudart/call.h"
#include "cudart/lines/call_site.h"

namespace warpcheck::cudart {
namespace {

constexpr unsigned kEventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t Record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    Event* found = runtime.streams.Find(event);
    if (found == nullptr || !runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    found->recorded = std::chrono::steady_clock::now();
    runtime.late_copies.Recorded(event, stream);
    runtime.order.Recorded(event, stream);
    return cudaSuccess;
  });
}

cudaError_t CheckEvent(cudaEvent_t event, Timing timing) {
  return Call(timing, [&](Runtime& runtime) {
    if (runtime.streams.Find(event) == nullptr) return cudaErrorInvalidResourceHandle;
    runtime.late_copies.WaitFor(event);
    runtime.order.HostWaitsFor(event);
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const bool interprocess = (flags & cudaEventInterprocess) != 0;
    if (event == nullptr || (flags & ~kEventFlags) != 0 ||
        (interprocess && (flags & cudaEventDisableTiming) == 0)) {
      return cudaErrorInvalidValue;
    }
    *event = runtime.streams.CreateEvent(flags);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Destroy(event, CurrentCall().address)) return cudaErrorInvalidResourceHandle;
    runtime.order.EventDestroyed(event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return Record(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return Record(event, stream, flags);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return CheckEvent(event, Timing::kWaitForPart);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return CheckEvent(event, Timing::kAsk); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream) || runtime.streams.Find(event) == nullptr) {
      return cudaErrorInvalidResourceHandle;
    }
    if (flags > cudaEventWaitExternal) return cudaErrorInvalidValue;
    runtime.late_copies.StreamWaits(stream, event, runtime.streams.DefaultWaitsFor(stream));
    runtime.order.StreamWaits(stream, event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return Call(Timing::kWait, [&](Runtime& runtime) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    for (const cudaEvent_t handle : {start, end}) {
      const Event* event = runtime.streams.Find(handle);
      if (event == nullptr || !event->recorded || (event->flags & cudaEventDisableTiming) != 0) {
        return cudaErrorInvalidResourceHandle;
      }
    }
    for (const cudaEvent_t handle : {start, end}) runtime.order.HostWaitsFor(handle);
    const auto elapsed =
        *runtime.streams.Find(end)->recorded - *runtime.streams.Find(start)->recorded;
    *milliseconds = std::chrono::duration<float, std::milli>(elapsed).count();
    return cudaSuccess;
  });
}
