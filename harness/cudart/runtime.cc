#include "cudart/runtime.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "debuginfo/call_site.h"

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
  host.Attach({.device = device,
               .memory = &memory,
               .lines = &lines,
               .watched = watch_order,
               .origin_of =
                   [this](std::uintptr_t address) {
                     auto origin = misuse.OriginOf(address);
                     return origin ? origin : registry.VariableAt(address);
                   },
               .note = [this](const Finding& finding) { NoteMisuse(*this, finding); },
               .at_late_write = [this] { WatchForSpins(); }});
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
  pools.Clear();
  host.Append({.kind = HostEvent::Kind::kReset});
  settings = {};
}

void Runtime::SetSticky(cudaError_t error) {
  sticky = error;
  pending = cudaSuccess;
}

void Runtime::Record(cudaEvent_t event, Lane lane) {
  streams.Find(event)->recorded = std::chrono::steady_clock::now();
  captures.Forget(event);
  host.Append(host.EventIn(lane, HostEvent::Kind::kEventRecord, HandleOf(event)));
}

void Runtime::WatchForSpins() {
  spin.Start([this] {
    const std::lock_guard lock(mutex);
    if (!host.HostHasUsedMemory()) return;
    host.Open();
    host.late().Deliver();
    host.Close();
  });
}

void Runtime::NoteError(cudaError_t error) {
  const bool told_otherwise = error == cudaErrorNotReady || error == cudaErrorNotSupported;
  if (!at_refusal || device == nullptr || told_otherwise) return;
  const CallSite site = CurrentCall();
  RefusedCall refused{
      .call = site.Text(), .error = cudaGetErrorName(error), .where = lines.OfCall(site.address)};
  if (error == cudaErrorMemoryAllocation) {
    const MemoryInfo room = device->Memory();
    refused.why = fmt::format("{} of the {} of the device are free", Grouped(room.free_bytes),
                              Counted(room.total_bytes, "byte"));
  }
  at_refusal(refused);
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
