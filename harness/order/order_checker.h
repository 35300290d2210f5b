// The OrderChecker finds, in the events of a log, the operations that nothing orders. It tells an
// Order, the one model of time, what each event does: all others that need to know what comes
// after what ask this Order.
//
// Until kStart it leaves out what operations use, and so finds no mistakes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "order/host_log.h"
#include "order/order.h"
#include "order/stream_names.h"

namespace warpcheck::order {

class OrderChecker : public LogReader {
 public:
  // Gets a clash, and the stream of the later operation; 0 if that is the host's.
  using Report = std::function<void(const Clash& clash, Handle stream)>;
  // Is told that an event does not have all its uses, so that some of `what` were not looked at.
  using Incomplete = std::function<void(const HostEvent& event, std::string_view what)>;

  OrderChecker(const StreamNames& names, Report report, Incomplete incomplete);

  void Read(const HostEvent& event) override;
  bool NeedsSite(const HostEvent& event) const override;

  Order& order() { return *order_; }

 private:
  // A function of the host that runs in a stream. What it uses is work of the stream.
  struct HostFunction {
    Handle stream = 0;
    std::uint64_t thread = 0;  // 0 if there is none
  };

  void Begin();
  void ReadOperation(const HostEvent& event);
  // Reads the source of a copy that is staged, before its other work.
  void RunStaging(const HostEvent& copy, const Operation& operation,
                  std::span<const MemoryUse> reads);
  void ReadFree(const HostEvent& event);
  void ReadAccess(const HostEvent& event);
  Operation OperationOf(const HostEvent& event) const;

  const StreamNames& names_;
  Report report_;
  Incomplete incomplete_;
  std::unique_ptr<Order> order_;
  bool started_ = false;
  Handle running_ = 0;  // the stream whose operation is compared with earlier ones
  HostFunction function_;
};

}  // namespace warpcheck::order
