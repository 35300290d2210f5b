#include "cudart/cudart.h"

#include <mutex>
#include <utility>

#include "cudart/misuse.h"
#include "cudart/runtime.h"
#include "debuginfo/call_site.h"
#include "debuginfo/host_lines.h"
#include "hostwatch/host_faults.h"

namespace warpcheck::cudart {

void Attach(Device* device, bool watch_order) {
  const std::lock_guard lock(Runtime::Get().mutex);
  Runtime::Get().Attach(device, watch_order);
}

void ExplainHostFaults() {
  ExplainFaults([](const HostFault& fault) {
    Runtime& runtime = Runtime::Get();
    const std::unique_lock lock(runtime.mutex, std::try_to_lock);
    if (lock.owns_lock()) NoteHostFault(runtime, fault);
  });
}

void LeaveRemains() {
  const std::lock_guard lock(Runtime::Get().mutex);
  Runtime::Get().remains = 1;
}

void AtWait(std::function<void()> hook) {
  const std::lock_guard lock(Runtime::Get().mutex);
  Runtime::Get().at_wait = std::move(hook);
}

void AtFirstCall(std::function<void()> hook) {
  const std::lock_guard lock(Runtime::Get().mutex);
  Runtime::Get().at_first_call = std::move(hook);
}

void AtRefusal(std::function<void(const RefusedCall&)> hook) {
  const std::lock_guard lock(Runtime::Get().mutex);
  Runtime::Get().at_refusal = std::move(hook);
}

void AtCopyBack(std::function<void(const CopiedBack&)> hook) {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  runtime.host.TellCopiesBack(std::move(hook));
}

SourceLocation LineOfCall() { return HostLines::OfProcess().OfCall(CurrentCall().address); }

void NoteLeftovers() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  runtime.host.Open();
  runtime.host.Append({.kind = HostEvent::Kind::kEnd});
  runtime.misuse.NoteLeftovers(runtime);
}

HostCalls TakeHostCalls() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  return runtime.host.TakeCalls();
}

int TakeLastError() {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  if (runtime.pending != cudaSuccess) runtime.SetSticky(runtime.pending);
  cudaError_t& last = runtime.LastError();
  const cudaError_t error = runtime.sticky != cudaSuccess ? runtime.sticky : last;
  last = cudaSuccess;
  return error;
}

}  // namespace warpcheck::cudart
