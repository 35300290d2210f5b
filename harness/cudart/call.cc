#include "cudart/call.h"

#include <utility>

#include "cudart/misuse.h"

namespace warpcheck::cudart {

cudaError_t BeginCall(Runtime& runtime, Timing timing) {
  if (runtime.device == nullptr) return cudaErrorNoDevice;
  if (runtime.at_first_call) std::exchange(runtime.at_first_call, nullptr)();
  runtime.spin.Called();
  if (timing != Timing::kHost) runtime.host.Open();
  const bool waits = timing == Timing::kWait || timing == Timing::kWaitForPart;
  if (waits && runtime.at_wait) runtime.at_wait();
  if (timing == Timing::kWait) runtime.host.Append({.kind = HostEvent::Kind::kBlockingCall});
  if (runtime.sticky != cudaSuccess) return runtime.sticky;
  const bool reports = waits || timing == Timing::kAsk;
  if (reports && runtime.pending != cudaSuccess) return runtime.pending;
  return cudaSuccess;
}

cudaError_t EndCall(Runtime& runtime, Timing timing, cudaError_t error) {
  if (timing != Timing::kHost) runtime.host.Close();
  const void* const unknown = runtime.streams.TakeUnknown();
  if (error == cudaSuccess) return error;
  if (error == cudaErrorInvalidResourceHandle && unknown != nullptr) {
    NoteUnknownHandle(runtime, unknown);
  }
  if (runtime.device != nullptr && IsSticky(static_cast<DeviceError>(error)) &&
      runtime.sticky == cudaSuccess) {
    if (timing == Timing::kQueue) {
      runtime.pending = error;
      return cudaSuccess;
    }
    runtime.SetSticky(error);
  } else if (!IsSticky(static_cast<DeviceError>(error))) {
    runtime.NoteError(error);
  }
  if (error != cudaErrorNotReady) runtime.LastError() = error;
  return error;
}

cudaError_t NotSupported(Runtime& runtime, const char* function) {
  runtime.device->NoteUnsupportedCall(function);
  return cudaErrorNotSupported;
}

}  // namespace warpcheck::cudart
