// The Order finds operations that use the same memory, of which one writes, and which nothing
// orders. It is told of each operation, each wait and each event of a program, as they happen, and
// knows nothing else of CUDA.
//
// It keeps two orders side by side: the order that CUDA promises, and the order that GPUs have kept
// so far, which is stronger in two places (docs/order.md). A clash that only the first shows is
// marked so. After a report both count the two operations as ordered. A third order has only what
// the program asked for: it tells what the host may already see (HasHostWaited).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device/memory_use.h"
#include "order/access_map.h"
#include "order/clocks.h"

namespace warpcheck::order {

// An Effect is what an operation does to memory, besides reading and writing it.
enum class Effect : std::uint8_t { kNone, kAllocates, kFrees };

struct Operation {
  std::string text;         // "cudaMemcpyAsync in stream 2"
  std::uint64_t place = 0;  // where the program asked for it, by a number of the caller's
  Effect effect = Effect::kNone;
  bool in_graph = false;  // it is a node of a graph

  friend auto operator<=>(const Operation&, const Operation&) = default;
};

// Two operations that nothing orders. The later one may be the host's own work.
struct Clash {
  Operation earlier;
  Operation later;
  MemoryUse::Kind earlier_kind = MemoryUse::Kind::kRead;
  MemoryUse::Kind later_kind = MemoryUse::Kind::kRead;
  DeviceAddress begin = 0;  // the first byte that both use
  DeviceAddress end = 0;    // one past the last byte that both use
  bool host = false;        // `later` is the host's
  bool unpromised = false;  // GPUs have kept the order so far; CUDA does not promise it
  // Says why a programmatic launch, `later`, is not after `earlier`, which came before it in its
  // stream.
  enum class Programmatic : std::uint8_t {
    kNo,
    kBeforeWait,   // it uses the bytes before it waits for the kernel before it
    kBrokenChain,  // it waits, but a kernel between the two does not, and may end before `earlier`
  };
  Programmatic programmatic = Programmatic::kNo;
};

class Order {
 public:
  using Report = std::function<void(const Clash&)>;
  // `report` gets each clash once for each pair of operations with equal texts and places. Of the
  // earlier operations of one stream it gets the last one, which also orders the others if it is
  // waited for. Then the two count as ordered, so that one wait that is missing gives one clash.
  explicit Order(Report report) : report_(std::move(report)) {}

  // A known stream is left as it is. Other functions take an unknown stream for a blocking one.
  void AddStream(Handle stream, StreamKind kind);
  void RemoveStream(Handle stream);
  void RemoveEvent(Handle event);
  void Record(Handle event, Handle stream);
  // These return false if the event was never recorded.
  bool Wait(Handle stream, Handle event);
  bool HostWaitsForEvent(Handle event);
  void HostWaitsForStream(Handle stream);
  // On all GPUs so far the host waits for a stream, or for all work, but CUDA does not promise it.
  void HostWaitsInPracticeForStream(Handle stream);
  void HostWaitsInPracticeForAll();
  void HostWaitsForAll();

  // Returns the last operation of a stream, in the order that the program asked for. The stream
  // must have had one.
  Moment LastIn(Handle stream) const { return requested_.LastOf(requested_.LineOf(stream)); }
  // Return true if the program has asked that the host, or the next operation of a stream, comes
  // after such a moment.
  bool HasHostWaited(const Moment& moment) const { return requested_.IsBeforeHost(moment); }
  bool IsBeforeNext(const Moment& moment, Handle stream) {
    AddStream(stream, StreamKind::kBlocking);
    return requested_.IsBeforeNext(moment, stream);
  }

  // Returns how often the host has waited, or has read a flag that a kernel has set. As long as it
  // stays the same, the host knows of no more work that is finished.
  std::uint64_t host_waits() const { return host_waits_; }

  // Return true if, on all GPUs so far, the host goes on only after the work is done.
  bool IsHostAfterEvent(Handle event) const { return in_practice_.IsHostAfterEvent(event); }
  bool IsHostAfterStream(Handle stream);

  // Runs an operation in a stream. If it `may_read_a_flag`, it is a copy that may be reading a flag
  // of a kernel that is still running. Such a read needs no order; what the flag tells, the stream
  // knows then.
  void Run(Handle stream, const Operation& operation, std::span<const MemoryUse> uses,
           bool may_read_a_flag = false) {
    RunIn(stream, operation, uses, {.may_read_a_flag = may_read_a_flag});
  }
  // Runs a kernel in a stream. A programmatic launch that comes right after another kernel may
  // begin before that kernel has ended; what it does before it waits is in no order with that
  // kernel (docs/order.md, "Programmatic launches").
  void RunKernel(Handle stream, const Operation& operation, const LaunchUses& uses,
                 bool programmatic);
  // An operation in a stream begins with reads of the host's memory, before its other work. GPUs
  // have done so before the call returned, but CUDA does not promise it.
  void RunStaging(Handle stream, const Operation& operation, std::span<const MemoryUse> reads);
  // A function of the host runs in a stream. Later code of the host may use what it has written:
  // the function may have told the host that it is done.
  void RunHostFunction(Handle stream, const Operation& operation, std::span<const MemoryUse> uses);
  // The host uses memory.
  void HostUses(const Operation& operation, std::span<const MemoryUse> uses);
  // Code of the host uses a byte. If an unfinished kernel gives signals by it, it is a flag, which
  // the host may use at any time. The host is seen to use only one byte of `page`. So it may also
  // use the flags of this page from then on, and counts as having waited for the kernels that have
  // released them, and for what came before these kernels. Returns true if there are any.
  bool HostTouches(const Operation& operation, const MemoryUse& byte, const MemoryUse& page);
  // Forgets who has used bytes [begin, end), because they are freed.
  void Forget(DeviceAddress begin, DeviceAddress end) { accesses_.Forget(begin, end); }

  // Calls body(begin, end, written) for each range of [begin, end) that an operation may still be
  // using; `written` says whether it writes.
  void EachPending(DeviceAddress begin, DeviceAddress end,
                   const std::function<void(DeviceAddress, DeviceAddress, bool)>& body) const;

 private:
  struct How {
    bool may_read_a_flag = false;
    bool is_kernel = false;
    // If this is a part of a programmatic launch: which one, and the stream of the launch.
    std::optional<LaunchPart> part{};
    Handle launched_in = 0;
  };
  struct StreamConflict {
    MemoryUse::Kind earlier = MemoryUse::Kind::kRead;
    MemoryUse::Kind later = MemoryUse::Kind::kRead;
    DeviceAddress begin = 0;
    DeviceAddress end = 0;
    bool unpromised = true;
    Moment moment;                // of the earlier operation
    std::uint32_t operation = 0;  // its number
  };
  using StreamConflicts =
      std::map<std::uint32_t, StreamConflict>;  // by the line of the earlier operation

  // Holds the operations that are finished when a kernel has released a flag.
  struct Released {
    Clock promised;
    Clock in_practice;
    Clock requested;
  };

  void RunIn(Handle stream, const Operation& operation, std::span<const MemoryUse> uses,
             const How& how);
  void RunPart(Handle stream, LaunchPart part, const Operation& operation,
               std::span<const MemoryUse> uses);
  void NoteRelease(Handle stream, Handle launched_in, const Moment& moment);
  // Calls body(access) for each access of a range that the host does not know to be finished.
  template <class Body>
  void EachUnfinished(const MemoryUse& range, Body body) const;
  // Lets the host know what the flags in a range tell. Returns true if there are any.
  bool ReadFlags(const MemoryUse& range);
  std::uint32_t NumberOf(const Operation& operation);
  static void AddConflict(StreamConflicts& conflicts, const AccessMap::Conflict& conflict,
                          MemoryUse::Kind kind, bool unpromised);
  // Reports the conflicts of an operation, and calls order_after(moment, unpromised) for each
  // earlier operation that counts as ordered before it from then on.
  template <class OrderAfter>
  void ReportConflicts(StreamConflicts& conflicts, const Operation& later, bool host,
                       const How& how, OrderAfter order_after);

  Report report_;
  Clocks promised_;
  Clocks in_practice_;
  Clocks requested_;  // with lines and moments of its own
  std::uint64_t host_waits_ = 0;
  AccessMap accesses_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Released> releases_;  // by line and time
  std::map<std::uint32_t, std::uint32_t> staging_;  // the line of a stream's staging, by its line
  std::vector<Operation> operations_;
  std::map<Operation, std::uint32_t> numbers_;
  std::set<std::uint32_t> host_functions_;  // numbers of operations
  std::set<std::tuple<std::uint32_t, Operation>> reported_;
};

}  // namespace warpcheck::order
