// A HostEvent is one thing that the host does: what it asks of CUDA, or what its own code does with
// memory that the device may be using. A HostLog hands the events of a program to everybody who
// draws conclusions from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debuginfo/call_site.h"
#include "device/box.h"
#include "device/memory_use.h"
#include "order/clocks.h"
#include "order/host_call.h"

namespace warpcheck::order {

// The streams and events of a program have their handles as numbers, which are smaller than these.
inline constexpr Handle kDefaultStream = 1;                 // the legacy one
inline constexpr Handle kFirstOfGraphs = Handle{1} << 61;   // branches, and events, of graphs
inline constexpr Handle kFirstOfThreads = Handle{1} << 62;  // default streams of threads
inline bool IsOfGraph(Handle handle) {
  return handle >= kFirstOfGraphs && handle < kFirstOfThreads;
}

// Bytes of the host's memory that an operation has written, and that the host does not see yet: the
// memory still has the old ones.
struct LateWrite {
  std::byte* host = nullptr;
  Strides strides{};
  Extent3 extent{};
  // The new bytes, whose rows have no gaps.
  std::shared_ptr<const std::vector<std::byte>> bytes{};
};

struct HostEvent {
  enum class Kind : std::uint8_t {
#define WARPCHECK_HOST_EVENT(kind, is_operation) kind,
#include "order/host_event.def"
#undef WARPCHECK_HOST_EVENT
  };
  // A node of a graph that is launched.
  struct Node {
    std::string call{};       // the call of the program that made the node
    std::uint64_t place = 0;  // the place of that call
    Handle launched_in = kDefaultStream;
  };

  Kind kind = Kind::kCopy;
  Handle stream = kDefaultStream;  // for a node: the branch of the graph
  std::optional<Node> node{};      // if it is the work of a node
  Handle event = 0;
  // The running call. For a kernel, `address` is the place of its launch, and `function` is "a
  // kernel launch". The log finds it, unless it is given here.
  CallSite site{};
  std::uint64_t thread = 0;  // of the host; 0 if it does not matter

  // Of operations, host functions, frees and accesses. A copy has first what it reads, then what it
  // writes.
  LaunchUses uses{};
  HostCall::Memory from = HostCall::Memory::kNone;  // of a copy
  HostCall::Memory to = HostCall::Memory::kNone;    // of a copy or a fill
  std::uint64_t bytes = 0;                          // of a copy, a fill, an allocation or a free
  bool asynchronous = false;                        // of a copy or a fill, as in HostCall
  std::string kernel{};                             // the demangled name
  bool programmatic = false;                        // of a kernel: a programmatic launch
  bool tells_the_host = false;                      // of a kernel, as in HostCall
  std::vector<LateWrite> late{};

  StreamKind stream_kind = StreamKind::kBlocking;               // of kStreamCreate
  HostCall::WaitsFor waits_for = HostCall::WaitsFor::kNothing;  // of kHostWait
  MemoryUse page{};    // of kHostAccess: where no other access was seen
  MemoryUse buffer{};  // of kHostAccess, kLibraryFree: the pageable buffer, or no bytes

  bool IsOperation() const;
  // Where the program asked for it.
  std::uint64_t Place() const { return node ? node->place : site.address; }
  const std::string& Function() const { return node ? node->call : site.function; }
};

// The rules of docs/order.md, "What copies and fills promise".

// Returns true for a copy whose source, pageable memory, has been read when the call returns. The
// bytes may arrive later.
bool IsStaged(const HostEvent& event);
// Return what the host waits for in a call: as CUDA promises it, and on all GPUs so far.
HostCall::WaitsFor PromisedWait(const HostEvent& event);
HostCall::WaitsFor WaitInPractice(const HostEvent& event);

// Lets the host wait, in `time` (an Order, or Clocks), as a call does once its own operation is
// there.
template <class Time>
void LetHostWait(Time& time, HostCall::WaitsFor waits_for, Handle stream, Handle event) {
  switch (waits_for) {
    case HostCall::WaitsFor::kNothing:
    case HostCall::WaitsFor::kEarlierWork:  // it has waited before the operation
      break;
    case HostCall::WaitsFor::kStream:
      time.HostWaitsForStream(stream);
      break;
    case HostCall::WaitsFor::kEvent:
      time.HostWaitsForEvent(event);
      break;
    case HostCall::WaitsFor::kDevice:
      time.HostWaitsForAll();
      break;
  }
}

}  // namespace warpcheck::order
