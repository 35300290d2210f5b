#include "cudart/call.h"

namespace warpcheck::cudart {

cudaError_t BeginCall(Runtime& runtime, Timing timing) {
  if (runtime.device() == nullptr) return cudaErrorNoDevice;
  if (runtime.sticky() != cudaSuccess) return runtime.sticky();
  if (timing == Timing::kWait && runtime.pending() != cudaSuccess) return runtime.pending();
  return cudaSuccess;
}

cudaError_t EndCall(Runtime& runtime, Timing timing, cudaError_t error) {
  if (error == cudaSuccess) return error;
  if (runtime.device() != nullptr && IsSticky(static_cast<DeviceError>(error)) &&
      runtime.sticky() == cudaSuccess) {
    if (timing == Timing::kQueue) {
      runtime.SetPending(error);
      return cudaSuccess;
    }
    runtime.SetSticky(error);
  }
  if (error != cudaErrorNotReady) runtime.LastError() = error;
  return error;
}

cudaError_t NotSupported(Runtime& runtime, const char* function) {
  runtime.device()->NoteUnsupportedCall(function);
  return cudaErrorNotSupported;
}

}  // namespace warpcheck::cudart
