// HostCalls records what a program asked of the CUDA runtime, in the order of its calls: operations
// for the device, events, and waits. order/call_order.h tells which of them something orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "device/memory_use.h"

namespace warpcheck {

struct HostCall {
  enum class Kind : std::uint8_t {
    // Operations of a stream.
    kCopy,
    kFill,
    kKernel,
    kHostFunction,
    kAllocation,
    kFree,
    // Other calls.
    kEventRecord,  // the event stands for the earlier work of the stream
    kStreamWait,   // the stream waits for the event
    kHostWait,     // the host waits
  };
  enum class Memory : std::uint8_t { kNone, kDevice, kManaged, kPinned, kPageable };
  // What the host waits for before the call returns.
  enum class WaitsFor : std::uint8_t {
    kNothing,
    kEarlierWork,  // the work that was in the stream before this operation
    kStream,       // all work of the stream, with this operation
    kEvent,
    kDevice,
  };

  Kind kind = Kind::kCopy;
  std::string function{};       // such as "cudaMemcpyAsync"
  SourceLocation where{};       // empty if the program has no line table
  std::uint32_t stream = 0;     // an index of HostCalls::streams; 0 if the call has no stream
  std::uint32_t event = 0;      // the number of the event, from 1; 0 if the call has none
  Memory from = Memory::kNone;  // of a copy
  Memory to = Memory::kNone;    // of a copy or a fill
  std::uint64_t bytes = 0;      // of a copy, a fill or an allocation
  std::string kernel{};         // the demangled name
  bool asynchronous = false;    // true for a copy or fill whose name ends in Async
  WaitsFor waits_for = WaitsFor::kNothing;
  // What the operation reads and writes. Empty if it is not known: on a GPU for kernels, and for
  // everything before the program makes a stream.
  std::vector<MemoryUse> uses{};
  // True for a kernel that uses atomics, or volatile accesses, in memory that the host can read.
  bool tells_the_host = false;
  std::uint64_t count = 1;  // the number of equal calls in a row

  bool IsOperation() const { return kind < Kind::kEventRecord; }
  bool IsCopyToHost() const;
  bool IsCopyToDevice() const;  // from memory of the host

  friend bool operator==(const HostCall&, const HostCall&) = default;
};
WARPCHECK_NAMES(HostCall::Kind, "copy", "fill", "kernel", "host_function", "allocation", "free",
                "event_record", "stream_wait", "host_wait");
WARPCHECK_NAMES(HostCall::Memory, "none", "device", "managed", "pinned", "pageable");
WARPCHECK_NAMES(HostCall::WaitsFor, "nothing", "earlier_work", "stream", "event", "device");
WARPCHECK_FIELDS(HostCall, kind, function, where, stream, event, from, to, bytes, kernel,
                 asynchronous, waits_for, uses, tells_the_host, count);

struct HostStream {
  std::string name;         // such as "stream 2"
  bool is_default = false;  // the legacy default stream
  bool non_blocking = false;
  bool is_graph = false;  // a branch of a graph, which is no stream of the program

  friend bool operator==(const HostStream&, const HostStream&) = default;
};
WARPCHECK_FIELDS(HostStream, name, is_default, non_blocking, is_graph);

// Numbers of all calls, also of those that are left out of the list.
struct HostCallTotals {
  std::uint64_t kernels = 0;
  std::uint64_t copies_to_host = 0;
  std::uint64_t copies_to_device = 0;
  // Of copies whose other side is memory of the device alone, which the device sees.
  std::uint64_t bytes_to_host = 0;    // to managed memory too, which the host can read
  std::uint64_t bytes_to_device = 0;  // from memory of the host
  std::uint64_t managed_bytes_to_device = 0;

  void Add(const HostCall& call);  // adds call.count calls

  friend bool operator==(const HostCallTotals&, const HostCallTotals&) = default;
};
WARPCHECK_FIELDS(HostCallTotals, kernels, copies_to_host, copies_to_device, bytes_to_host,
                 bytes_to_device, managed_bytes_to_device);

struct HostCalls {
  // Equal calls in a row are one entry. Calls after kMost entries, and those of streams after
  // kMostStreams, are left out.
  static constexpr std::size_t kMost = 2048;
  static constexpr std::size_t kMostStreams = 256;
  // An operation with more ranges has one range of each kind, which holds them.
  static constexpr std::size_t kMostUses = 32;

  std::vector<HostStream> streams;  // the first is the legacy default stream
  std::vector<HostCall> calls{};
  HostCallTotals totals{};
  std::uint64_t left_out = 0;  // the number of calls that are left out

  // Returns true if all indices and limits hold.
  bool IsSound() const;

  friend bool operator==(const HostCalls&, const HostCalls&) = default;
};
WARPCHECK_FIELDS(HostCalls, streams, calls, totals, left_out);

}  // namespace warpcheck
