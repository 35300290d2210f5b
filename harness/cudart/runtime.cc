#include "cudart/runtime.h"

#include <chrono>
#include <cstdint>
#include <utility>

namespace warpcheck::cudart {

// The object is never destroyed, because loaded objects unregister themselves while the process
// ends.
Runtime& Runtime::Get() {
  static Runtime& runtime = *new Runtime;
  return runtime;
}

void Runtime::Attach(Device* new_device, bool watch_order) {
  device = new_device;
  ++attachments;
  registry.ForgetModules();
  memory.ForgetDevice();
  pools.Clear();
  textures.Clear();
  streams.Clear();
  graphs.Clear();
  captures.Clear();
  misuse.Clear();
  late_copies.Clear();
  calls.Clear();
  order.Attach({.device = device,
                .memory = &memory,
                .pools = &pools,
                .lines = &lines,
                .record = &calls,
                .watched = watch_order,
                .origin_of =
                    [this](std::uintptr_t address) {
                      auto origin = misuse.OriginOf(address);
                      return origin ? origin : registry.VariableAt(address);
                    },
                .note = [this](const Finding& finding) { NoteMisuse(*this, finding); }});
  settings = {};
  pending = sticky = cudaSuccess;
}

void Runtime::Reset() {
  if (device != nullptr) static_cast<void>(device->Reset());
  memory.ForgetDevice();
  textures.Clear();
  registry.ForgetModules();
  streams.Clear();
  graphs.Clear();
  captures.Clear();
  misuse.ForgetAllocations();
  late_copies.Clear();
  order.Clear();
  settings = {};
}

void Runtime::SetSticky(cudaError_t error) {
  sticky = error;
  pending = cudaSuccess;
}

void Runtime::Record(cudaEvent_t event, cudaStream_t stream) {
  streams.Find(event)->recorded = std::chrono::steady_clock::now();
  captures.Forget(event);
  late_copies.Recorded(event, stream);
  order.Recorded(event, stream);
}

void Runtime::LetWait(cudaStream_t stream, cudaEvent_t event) {
  late_copies.StreamWaits(stream, event);
  order.StreamWaits(stream, event);
}

void Runtime::WatchForSpins() {
  spin.Start([this] {
    const std::lock_guard lock(mutex);
    if (!order.HostHasLooked()) return;
    order.Enter();
    late_copies.Deliver();
    order.Leave();
  });
}

void Runtime::BeginHostFunction(cudaStream_t stream) {
  late_copies.Deliver();
  order.BeginHostFunction(stream);
}

cudaError_t& Runtime::LastError() {
  struct OfThread {
    std::uint64_t attachment = 0;
    cudaError_t error = cudaSuccess;
  };
  thread_local OfThread last;
  if (last.attachment != attachments) last = {attachments, cudaSuccess};
  return last.error;
}

}  // namespace warpcheck::cudart
