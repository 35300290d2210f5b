// EventTimes answers cudaEventElapsedTime(): it gives no time while one of the events may not be
// done. If one of them is not, each place that asks is told so once after the event's record. If
// the same place asks again, it gets the time: the program may ask until it gets it. At the end
// each question after which no time was given is reported.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "debuginfo/host_lines.h"
#include "device/finding.h"
#include "order/host_log.h"
#include "order/order_checker.h"

namespace warpcheck::order {

class EventTimes : public LogReader {
 public:
  using Note = std::function<void(const Finding&)>;
  EventTimes(OrderChecker& checker, HostLines& lines, Note note)
      : checker_(checker), lines_(lines), note_(std::move(note)) {}

  void Read(const HostEvent& event) override;
  bool NeedsSite(const HostEvent& event) const override;

  // Returns true if the call gets the time between two events.
  bool GivesTime(Handle begin, Handle end, const CallSite& call);

 private:
  // A question for the time of an event that is not done.
  struct EarlyTime {
    std::string call;
    std::uint64_t place = 0;
    std::uint64_t recorded = 0;  // where the event was recorded
  };

  // No later question can give the time of this record of the event.
  void Settle(Handle event);
  void ReportAll();

  OrderChecker& checker_;
  HostLines& lines_;
  Note note_;
  std::map<Handle, std::uint64_t> records_;  // the place of the last record of each event
  // Questions that came too early, by their events and places. A later question may show that the
  // program asks until the answer is yes.
  std::map<Handle, std::map<std::uint64_t, EarlyTime>> early_;
  std::vector<EarlyTime> settled_;  // questions whose event has no time any more
};

}  // namespace warpcheck::order
