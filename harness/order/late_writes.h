// LateWrites delays what the host sees of work that CUDA does not promise to be done when its call
// returns: asynchronous copies and fills of memory that the host and the device share, and kernels
// that write there. A program that reads too early sees the old bytes. Work that uses the memory in
// the device's order gets the new bytes. What the host has waited for, the Order knows.
//
// It also remembers copies, and kernels in streams for which the default stream does not wait, and
// reports those that the program never waits for.
//
// Each function takes a time that does not grow with the number of earlier copies and kernels.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "debuginfo/host_lines.h"
#include "device/finding.h"
#include "order/host_log.h"
#include "order/order_checker.h"
#include "order/stream_names.h"

namespace warpcheck::order {

class LateWrites : public LogReader {
 public:
  using Note = std::function<void(const Finding&)>;
  // Reads each event after `checker`.
  LateWrites(OrderChecker& checker, const StreamNames& names, HostLines& lines, Note note)
      : checker_(checker), names_(names), lines_(lines), note_(std::move(note)) {}

  // The late bytes of an event must not overlap any that are still late (Deliver).
  void Read(const HostEvent& event) override;
  bool NeedsSite(const HostEvent& event) const override;

  // Call these before the device or the host uses the memory, the second one if it uses only these
  // bytes. They write the new bytes, but do not count as a wait of the program.
  void Deliver();
  void Deliver(const void* start, std::uint64_t bytes);

 private:
  struct Late {
    std::uintptr_t end = 0;  // of the bytes
    LateWrite write;
    Moment moment;
  };
  using LateMap = std::map<std::uintptr_t, Late>;
  // Calls that would give the same report. Those of one stream run one after another, so a wait for
  // the last one covers all.
  struct Call {
    std::string text;         // the call that copies, or the kernel's name
    std::uint64_t place = 0;  // where the program goes on after the call
    bool kernel = false;
    std::uint64_t bytes = 0;
    std::uint32_t line = 0;  // of the stream

    friend auto operator<=>(const Call&, const Call&) = default;
  };
  struct Last {
    std::uint64_t number = 0;  // of the first such call, in the order of the program
    Moment moment;
  };

  void Add(const LateWrite& write, const Moment& moment);
  void Remember(Call call, const Moment& moment);
  LateMap::iterator Deliver(LateMap::iterator late);
  // Writes the new bytes of what the program has waited for.
  void DeliverFinished();
  // Returns true if the host has waited for the operation. A kernel may also be one that the next
  // operation of the default stream waits for.
  bool IsWaitedFor(const Moment& moment, bool kernel);
  void ReportAll();

  OrderChecker& checker_;
  const StreamNames& names_;
  HostLines& lines_;
  Note note_;
  LateMap late_;  // by the first byte; they do not overlap
  // The same by the line of the stream: times and first bytes. What is delivered may still be here.
  std::map<std::uint32_t, std::deque<std::pair<std::uint64_t, std::uintptr_t>>> queues_;
  std::map<Call, Last> calls_;
  std::uint64_t host_waits_ = 0;  // Order::host_waits() at the last DeliverFinished()
};

}  // namespace warpcheck::order
