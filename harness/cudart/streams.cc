#include "cudart/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "cudart/runtime.h"

namespace warpcheck::cudart {

StreamTable::StreamTable() { Clear(); }

void StreamTable::Clear() {
  streams_.clear();
  events_.clear();
  streams_[nullptr] = streams_[cudaStreamLegacy] = {.id = 1};
  streams_[cudaStreamPerThread] = {.id = 2, .flags = cudaStreamNonBlocking};
}

cudaStream_t StreamTable::CreateStream(unsigned flags, int priority) {
  const std::uint64_t number = NextHandle();
  const auto handle = reinterpret_cast<cudaStream_t>(number);
  streams_[handle] = {.id = number, .flags = flags, .priority = priority};
  return handle;
}

cudaEvent_t StreamTable::CreateEvent(unsigned flags) {
  const auto handle = reinterpret_cast<cudaEvent_t>(NextHandle());
  events_[handle] = {.flags = flags};
  return handle;
}

bool StreamTable::Destroy(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
    return false;
  if (!Knows(stream)) return false;
  destroyed_[stream] = HandleKind::kStream;
  return streams_.erase(stream) != 0;
}

bool StreamTable::Destroy(cudaEvent_t event) {
  if (Find(event) == nullptr) return false;
  destroyed_[event] = HandleKind::kEvent;
  return events_.erase(event) != 0;
}

std::optional<HandleKind> StreamTable::Destroyed(const void* handle) const {
  const auto found = destroyed_.find(handle);
  return found == destroyed_.end() ? std::nullopt : std::optional(found->second);
}

const Stream* StreamTable::Find(cudaStream_t stream) const {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) unknown_ = stream;
  return found == streams_.end() ? nullptr : &found->second;
}

// That of a thread is a blocking one (CUDA Runtime API, "Stream synchronization behavior").
bool StreamTable::DefaultWaitsFor(cudaStream_t stream) const {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return false;
  return stream == cudaStreamPerThread || (found->second.flags & cudaStreamNonBlocking) == 0;
}

Event* StreamTable::Find(cudaEvent_t event) {
  const auto found = events_.find(event);
  if (found == events_.end()) unknown_ = event;
  return found == events_.end() ? nullptr : &found->second;
}

namespace {

template <class T>
bool Has(const std::vector<T>& list, T one) {
  return std::ranges::find(list, one) != list.end();
}

// The legacy default stream waits for all but those that do not block it.
bool WaitsForOthers(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

}  // namespace

void LateCopies::Add(cudaStream_t stream, Target target, std::string call) {
  JoinAlike();
  copies_.push_back({.target = std::move(target), .call = std::move(call), .streams = {stream}});
}

void LateCopies::AddKernel(cudaStream_t stream, std::string kernel) {
  // One after another in the stream: whoever waits for the last has waited for all.
  Erase([=](const Copy& one) { return one.kernel && one.streams[0] == stream; });
  copies_.push_back({.call = std::move(kernel), .kernel = true, .streams = {stream}});
}

template <class Which>
void LateCopies::Erase(Which which) {
  std::erase_if(copies_, which);
  const auto waits = [](const Copy& copy) { return !copy.target.bytes.empty(); };
  delivered_ = static_cast<std::size_t>(std::ranges::find_if(copies_, waits) - copies_.begin());
}

void LateCopies::JoinAlike() {
  if (copies_.size() < most_) return;
  std::set<
      std::tuple<std::string, std::uint64_t, std::vector<cudaStream_t>, std::vector<cudaEvent_t>>>
      seen;
  Erase([&](const Copy& copy) {
    if (copy.kernel || !copy.target.bytes.empty()) return false;
    return !seen.emplace(copy.call, copy.target.extent.Bytes(), copy.streams, copy.events).second;
  });
  most_ = std::max(kFewCopies, 2 * copies_.size());
}

bool LateCopies::IsBefore(const Copy& copy, cudaStream_t stream) {
  return Has(copy.streams, stream) || (WaitsForOthers(stream) && !copy.kernel);
}

void LateCopies::Deliver(Copy& copy) {
  Target& target = copy.target;
  if (!target.bytes.empty()) {
    MoveBox(target.host, target.strides, target.bytes.data(), Packed(target.extent), target.extent);
  }
  target.bytes.clear();
}

void LateCopies::Deliver() {
  for (; delivered_ < copies_.size(); ++delivered_) Deliver(copies_[delivered_]);
}

template <class Covered>
void LateCopies::Finish(Covered covered) {
  for (Copy& copy : copies_) {
    if (covered(copy)) Deliver(copy);
  }
  Erase(covered);
}

void LateCopies::WaitForAll() {
  Finish([](const Copy&) { return true; });
}

void LateCopies::WaitFor(cudaStream_t stream) {
  Finish([=](const Copy& copy) { return IsBefore(copy, stream); });
}

void LateCopies::WaitFor(cudaEvent_t event) {
  Finish([=](const Copy& copy) { return Has(copy.events, event); });
}

void LateCopies::Recorded(cudaEvent_t event, cudaStream_t stream) {
  for (Copy& copy : copies_) {
    std::erase(copy.events, event);
    if (IsBefore(copy, stream)) copy.events.push_back(event);
  }
}

void LateCopies::StreamWaits(cudaStream_t stream, cudaEvent_t event, bool default_waits) {
  Erase([=](const Copy& copy) { return copy.kernel && default_waits && Has(copy.events, event); });
  for (Copy& copy : copies_) {
    if (Has(copy.events, event) && !Has(copy.streams, stream)) copy.streams.push_back(stream);
  }
}

void LateCopies::NoteLeftovers(Runtime& runtime) {
  for (Copy& copy : copies_) {
    Deliver(copy);
    if (copy.kernel) {
      NoteMisuse(runtime, FindingKind::kUnfinishedKernel,
                 fmt::format("nobody waits for the end of {} in a non-blocking stream: its results "
                             "may not be there yet when the default stream goes on",
                             copy.call));
      continue;
    }
    NoteMisuse(
        runtime, FindingKind::kUnfinishedCopy,
        fmt::format("nobody waits for the end of {}, which copies {} bytes to the host: what "
                    "the host reads there may still be the old bytes",
                    copy.call, copy.target.extent.Bytes()));
  }
  Clear();
}

// Streams (CUDA Runtime API, "Stream Management").

namespace {

cudaError_t Create(cudaStream_t* stream, unsigned flags, int priority) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const bool known = flags == cudaStreamDefault || flags == cudaStreamNonBlocking;
    if (stream == nullptr || !known) return cudaErrorInvalidValue;
    *stream = runtime.streams.CreateStream(flags,
                                           std::clamp(priority, kGreatestPriority, kLeastPriority));
    return cudaSuccess;
  });
}

cudaError_t WaitFor(cudaStream_t stream, Timing timing) {
  return Call(timing, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    runtime.late_copies.WaitFor(stream);
    return cudaSuccess;
  });
}

// One property of a known stream.
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

constexpr unsigned kEventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t Record(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    Event* found = runtime.streams.Find(event);
    if (found == nullptr || !runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (flags > cudaEventRecordExternal) return cudaErrorInvalidValue;
    found->recorded = std::chrono::steady_clock::now();
    runtime.late_copies.Recorded(event, stream);
    return cudaSuccess;
  });
}

cudaError_t CheckEvent(cudaEvent_t event, Timing timing) {
  return Call(timing, [&](Runtime& runtime) {
    if (runtime.streams.Find(event) == nullptr) return cudaErrorInvalidResourceHandle;
    runtime.late_copies.WaitFor(event);
    return cudaSuccess;
  });
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
    return runtime.streams.Destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
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

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return Get<cudaStreamCaptureStatus>(stream, status,
                                      [](const Stream&) { return cudaStreamCaptureStatusNone; });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    const Allocation* allocation = runtime.memory.Find(pointer);
    return allocation != nullptr && allocation->managed() ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// Both run the function at once, and outside the runtime's mutex, as CUDA runs it on a thread of
// its own. After a fault nothing that follows in a stream runs, except a stream's callback, which
// is told of it.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  bool run = false;
  const cudaError_t error = Call(Timing::kQueue, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (function == nullptr) return cudaErrorInvalidValue;
    runtime.late_copies.Deliver();
    run = true;
    return cudaSuccess;
  });
  if (run) function(data);
  return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  cudaError_t status = cudaSuccess;
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    runtime.late_copies.Deliver();
    status = runtime.pending;
    return cudaSuccess;
  });
  if (error == cudaSuccess) callback(stream, status, data);
  return error;
}

// Events (CUDA Runtime API, "Event Management").

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
    return runtime.streams.Destroy(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
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
    const auto elapsed =
        *runtime.streams.Find(end)->recorded - *runtime.streams.Find(start)->recorded;
    *milliseconds = std::chrono::duration<float, std::milli>(elapsed).count();
    return cudaSuccess;
  });
}
