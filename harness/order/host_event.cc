#include "order/host_event.h"

#include <array>

#include "base/result.h"

namespace warpcheck::order {
namespace {

using Kind = HostEvent::Kind;
using Memory = HostCall::Memory;
using WaitsFor = HostCall::WaitsFor;

constexpr auto kOperations = std::to_array<bool>({
#define WARPCHECK_HOST_EVENT(kind, is_operation) is_operation,
#include "order/host_event.def"
#undef WARPCHECK_HOST_EVENT
});

bool IsOnHost(Memory memory) { return IsOneOf(memory, Memory::kPinned, Memory::kPageable); }

WaitsFor PromisedWaitOfCopy(const HostEvent& copy) {
  if (copy.node) return WaitsFor::kNothing;  // the host waits for no node of a graph
  if (IsOnHost(copy.from) && IsOnHost(copy.to)) return WaitsFor::kStream;
  if (copy.asynchronous) return WaitsFor::kNothing;
  if (copy.from == Memory::kDevice && copy.to == Memory::kDevice) return WaitsFor::kNothing;
  return copy.from == Memory::kPageable && copy.to == Memory::kDevice ? WaitsFor::kEarlierWork
                                                                      : WaitsFor::kStream;
}

}  // namespace

bool HostEvent::IsOperation() const { return kOperations.at(static_cast<std::size_t>(kind)); }

bool IsStaged(const HostEvent& event) {
  return event.kind == Kind::kCopy && !event.node && event.from == Memory::kPageable &&
         IsOneOf(event.to, Memory::kDevice, Memory::kManaged);
}

WaitsFor PromisedWait(const HostEvent& event) {
  switch (event.kind) {
    case Kind::kCopy:
      return PromisedWaitOfCopy(event);
    case Kind::kFill:
      return event.asynchronous || event.to == Memory::kDevice ? WaitsFor::kNothing
                                                               : WaitsFor::kStream;
    case Kind::kHostFunction:  // it may tell other threads that the earlier work is done
      return WaitsFor::kStream;
    case Kind::kHostWait:
      return event.waits_for;
    default:
      return WaitsFor::kNothing;
  }
}

WaitsFor WaitInPractice(const HostEvent& event) {
  const WaitsFor promised = PromisedWait(event);
  if (event.kind == Kind::kHostFree) return WaitsFor::kDevice;
  if (event.kind != Kind::kCopy || event.node) return promised;
  const bool to_pageable = event.asynchronous && event.to == Memory::kPageable;
  return promised == WaitsFor::kEarlierWork || to_pageable ? WaitsFor::kStream : promised;
}

}  // namespace warpcheck::order
