// A CallOrder says which operations of a record of calls something orders: streams, events and
// waits of the host, as CUDA promises it (docs/order.md).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "order/clock.h"
#include "order/host_call.h"

namespace warpcheck::order {

// Returns whether a call is a copy, a fill or a kernel.
bool IsWork(const HostCall& call);

// Calls are given by their index in HostCalls::calls.
class CallOrder {
 public:
  using Which = std::function<bool(std::size_t call)>;

  // `calls` must be sound and outlive this object. Waits of the host in calls that `ignored`
  // accepts order nothing.
  explicit CallOrder(const HostCalls& calls, const Which& ignored = {});

  // Returns the order in which the host waits for each operation that may tell it that earlier work
  // is done: a function of the host, and a kernel that tells the host. Whether the host waits for
  // what such an operation writes, in a loop of its own, is not known.
  static CallOrder WithTold(const HostCalls& calls) { return CallOrder(calls, {}, true); }

  // Returns true if `earlier` is finished before `later` begins. Both are operations, and
  // `earlier` < `later`.
  bool IsBefore(std::size_t earlier, std::size_t later) const;

  // Returns the operations that an operation waits for: the last operation of its stream, and
  // operations of other streams that this stream did not wait for. Leaves out what these operations
  // wait for themselves.
  std::vector<std::size_t> WaitsFor(std::size_t operation) const;

  // For a call in which the host waits: returns the operations, the last ones of their streams,
  // that the host did not know to be finished before.
  const std::vector<std::size_t>& HostWaitsFor(std::size_t call) const { return host_waits_[call]; }

  // Returns the copies, fills and kernels that may still run when the last call returns: the host
  // has not waited for them, nor for later work that waits for them. Names the last one of each
  // stream. Leaves out what the host may know of in another way: what comes before a function of
  // the host or a synchronous copy or fill in the order, and before a kernel that tells the host.
  std::vector<std::size_t> Unfinished() const;

 private:
  CallOrder(const HostCalls& calls, const Which& ignored, bool with_told);

  struct Place {
    Moment moment;
    Clock clock;                 // what is finished before it ends
    std::size_t previous = kNo;  // the operation before it in its stream
  };
  static constexpr std::size_t kNo = SIZE_MAX;

  const HostCalls& calls_;
  std::vector<Place> places_;                         // of each operation of `calls_`
  std::vector<std::vector<std::size_t>> lines_;       // the operations of each line, in order
  std::vector<std::vector<std::size_t>> host_waits_;  // by call; empty for most
  Clock finished_;  // what the host knows to be finished after the last call
};

}  // namespace warpcheck::order
