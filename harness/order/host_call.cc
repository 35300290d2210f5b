#include "order/host_call.h"

#include <algorithm>

namespace warpcheck {
namespace {

bool IsOfHost(HostCall::Memory memory) {
  return IsOneOf(memory, HostCall::Memory::kPinned, HostCall::Memory::kPageable);
}

bool IsOfDevice(HostCall::Memory memory) {
  return IsOneOf(memory, HostCall::Memory::kDevice, HostCall::Memory::kManaged);
}

}  // namespace

bool HostCall::IsCopyToHost() const {
  return kind == Kind::kCopy && IsOfHost(to) && IsOfDevice(from);
}

bool HostCall::IsCopyToDevice() const {
  return kind == Kind::kCopy && IsOfHost(from) && IsOfDevice(to);
}

void HostCallTotals::Add(const HostCall& call) {
  if (call.kind == HostCall::Kind::kKernel) kernels += call.count;
  if (call.IsCopyToHost()) copies_to_host += call.count;
  if (call.IsCopyToDevice()) copies_to_device += call.count;
  if (call.kind != HostCall::Kind::kCopy) return;
  const std::uint64_t bytes = call.count * call.bytes;
  if (call.from == HostCall::Memory::kDevice) {
    if (IsOfHost(call.to) || call.to == HostCall::Memory::kManaged) bytes_to_host += bytes;
  } else if (call.to == HostCall::Memory::kDevice) {
    if (IsOfHost(call.from)) bytes_to_device += bytes;
    if (call.from == HostCall::Memory::kManaged) managed_bytes_to_device += bytes;
  }
}

bool HostCalls::IsSound() const {
  if (streams.empty() || streams.size() > kMostStreams || calls.size() > kMost) return false;
  if (std::ranges::count(streams, true, &HostStream::is_default) != 1) return false;
  return std::ranges::all_of(calls, [&](const HostCall& call) {
    return call.stream < streams.size() && call.uses.size() <= kMostUses && call.count != 0 &&
           call.kind <= HostCall::Kind::kHostWait && call.from <= HostCall::Memory::kPageable &&
           call.to <= HostCall::Memory::kPageable &&
           call.waits_for <= HostCall::WaitsFor::kDevice &&
           std::ranges::all_of(call.uses, [](const MemoryUse& use) {
             return use.kind <= MemoryUse::Kind::kRelease && use.begin <= use.end;
           });
  });
}

}  // namespace warpcheck
