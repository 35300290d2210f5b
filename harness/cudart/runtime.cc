#include "cudart/runtime.h"

#include "cudart/cudart.h"

namespace warpcheck::cudart {

// Never destroyed: loaded objects unregister themselves while the process ends.
Runtime& Runtime::Get() {
  static Runtime& runtime = *new Runtime;
  return runtime;
}

void Runtime::Attach(Device* device) {
  device_ = device;
  ++attachments_;
  registry_.ForgetModules();
  memory_.ForgetDevice();
  textures_.Clear();
  streams_.Clear();
  misuse_.Clear();
  late_copies_.Clear();
  settings_ = {};
  pending_ = sticky_ = cudaSuccess;
}

void Runtime::Reset() {
  if (device_ != nullptr) static_cast<void>(device_->Reset());
  memory_.ForgetDevice();
  textures_.Clear();
  registry_.ForgetModules();
  streams_.Clear();
  misuse_.ForgetAllocations();
  late_copies_.Clear();
  settings_ = {};
}

void Runtime::SetSticky(cudaError_t error) {
  sticky_ = error;
  pending_ = cudaSuccess;
}

cudaError_t& Runtime::LastError() {
  struct OfThread {
    std::uint64_t attachment = 0;
    cudaError_t error = cudaSuccess;
  };
  thread_local OfThread last;
  if (last.attachment != attachments_) last = {attachments_, cudaSuccess};
  return last.error;
}

void Attach(Device* device) {
  const std::lock_guard lock(Runtime::Get().mutex());
  Runtime::Get().Attach(device);
}

void AtWait(std::function<void()> hook) {
  const std::lock_guard lock(Runtime::Get().mutex());
  Runtime::Get().AtWait(std::move(hook));
}

void NoteLeftovers() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex());
  runtime.late_copies().NoteLeftovers(runtime);
  runtime.misuse().NoteLeftovers(runtime);
}

int TakeLastError() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex());
  if (runtime.pending() != cudaSuccess) runtime.SetSticky(runtime.pending());
  cudaError_t& last = runtime.LastError();
  const cudaError_t error = runtime.sticky() != cudaSuccess ? runtime.sticky() : last;
  last = cudaSuccess;
  return error;
}

}  // namespace warpcheck::cudart
