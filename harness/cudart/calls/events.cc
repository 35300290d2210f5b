// Implements the calls about events (CUDA Runtime API, "Event Management").
#include <chrono>

#include "cudart/call.h"
#include "cudart/stream_capture.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

constexpr unsigned kEventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t Record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    if (runtime.streams.Find(event) == nullptr || !runtime.streams.Knows(stream)) {
      return cudaErrorInvalidResourceHandle;
    }
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    const auto [refused, capture] = AdmitWork(runtime, stream, Timing::kQueue);
    if (refused != cudaSuccess) return refused;
    if (capture != nullptr && flags == cudaEventRecordExternal) {
      return AddCaptured(runtime, *capture, stream, RecordNode{event});
    }
    if (capture != nullptr) {
      runtime.captures.Record(event, {capture->id, capture->streams.at(KeyOf(stream))});
      return cudaSuccess;
    }
    runtime.Record(event, stream);
    return cudaSuccess;
  });
}

// Lets a stream wait for an event when one of the two belongs to a capture. A stream that waits for
// a captured event takes part in the capture from then on. Sets `*done` if nothing is left to do.
cudaError_t WaitInCapture(Runtime& runtime, cudaStream_t stream, cudaEvent_t event, unsigned flags,
                          bool* done) {
  const Captures::Recorded* const recorded = runtime.captures.Find(event);
  Capture* const from = recorded == nullptr ? nullptr : runtime.captures.Find(recorded->capture);
  Capture* const to = runtime.captures.Of(stream);
  if (to != nullptr && to->invalid) return cudaErrorStreamCaptureInvalidated;
  if (to != nullptr && flags == cudaEventWaitExternal) {
    *done = true;
    return AddCaptured(runtime, *to, stream, WaitNode{event});
  }
  if (to != nullptr && from == nullptr) {
    return Invalidate(runtime, *to, cudaErrorStreamCaptureIsolation,
                      "lets a captured stream wait for an event that the same capture did not "
                      "record");
  }
  if (recorded == nullptr) return AdmitWork(runtime, stream, Timing::kQueue).error;
  if (from == nullptr) return AdmitWait(runtime, event);
  if (from->invalid) return cudaErrorStreamCaptureInvalidated;
  if (to == nullptr && IsLegacy(stream)) {
    return Invalidate(runtime, *from, cudaErrorStreamCaptureImplicit,
                      "lets the default stream wait for an event of a capture");
  }
  if (to != nullptr && to != from) {
    static_cast<void>(Invalidate(runtime, *from, cudaErrorStreamCaptureMerge));
    return Invalidate(runtime, *to, cudaErrorStreamCaptureMerge, "joins two captures");
  }
  *done = true;
  AddTo(from->streams[KeyOf(stream)], recorded->nodes);
  from->blocking = from->blocking || runtime.streams.DefaultWaitsFor(stream);
  return cudaSuccess;
}

void HostWaitsFor(Runtime& runtime, cudaEvent_t event) {
  runtime.host.Append({.kind = HostEvent::Kind::kHostWait,
                       .event = HandleOf(event),
                       .waits_for = HostCall::WaitsFor::kEvent});
}

cudaError_t CheckEvent(cudaEvent_t event, Timing timing) {
  return Call(timing, [&](Runtime& runtime) {
    if (runtime.streams.Find(event) == nullptr) return cudaErrorInvalidResourceHandle;
    WARPCHECK_TRY_CODE(AdmitWait(runtime, event));
    if (timing == Timing::kAsk && !runtime.host.IsDone(event)) return cudaErrorNotReady;
    HostWaitsFor(runtime, event);
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
    runtime.misuse.Made(HandleKind::kEvent, *event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Destroy(event, warpcheck::CurrentCall().address))
      return cudaErrorInvalidResourceHandle;
    runtime.misuse.GaveBack(HandleKind::kEvent, event);
    runtime.host.Append({.kind = HostEvent::Kind::kEventDestroy, .event = HandleOf(event)});
    runtime.captures.Forget(event);
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
    bool done = false;
    WARPCHECK_TRY_CODE(WaitInCapture(runtime, stream, event, flags, &done));
    if (done) return cudaSuccess;
    runtime.host.StartFor(stream);
    runtime.host.Append(
        runtime.host.EventIn(stream, HostEvent::Kind::kStreamWait, HandleOf(event)));
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return Call(Timing::kAsk, [&](Runtime& runtime) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    for (const cudaEvent_t handle : {start, end}) {
      WARPCHECK_TRY_CODE(AdmitWait(runtime, handle));
      const Event* event = runtime.streams.Find(handle);
      if (event == nullptr || !event->recorded || (event->flags & cudaEventDisableTiming) != 0) {
        return cudaErrorInvalidResourceHandle;
      }
    }
    if (!runtime.host.GivesTime(start, end)) return cudaErrorNotReady;
    for (const cudaEvent_t handle : {start, end}) HostWaitsFor(runtime, handle);
    const auto elapsed =
        *runtime.streams.Find(end)->recorded - *runtime.streams.Find(start)->recorded;
    *milliseconds = std::chrono::duration<float, std::milli>(elapsed).count();
    return cudaSuccess;
  });
}
