#include "order/event_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpcheck::order {

using Kind = HostEvent::Kind;

bool EventTimes::NeedsSite(const HostEvent& event) const {
  return event.kind == Kind::kEventRecord && !event.node && !IsOfGraph(event.event);
}

void EventTimes::Read(const HostEvent& event) {
  if (IsOfGraph(event.event)) return;
  if (event.kind == Kind::kEventRecord) {
    Settle(event.event);
    records_[event.event] = event.Place();
  } else if (event.kind == Kind::kEventDestroy) {
    Settle(event.event);
    records_.erase(event.event);
  } else if (event.kind == Kind::kReset) {
    records_.clear();
    early_.clear();
    settled_.clear();
  } else if (event.kind == Kind::kEnd) {
    ReportAll();
  }
}

void EventTimes::Settle(Handle event) {
  const auto early = early_.find(event);
  if (early == early_.end()) return;
  for (auto& [place, time] : early->second) settled_.push_back(std::move(time));
  early_.erase(early);
}

bool EventTimes::GivesTime(Handle begin, Handle end, const CallSite& call) {
  const Order& order = checker_.order();
  const Handle late = order.IsHostAfterEvent(end) ? begin : end;
  if (order.IsHostAfterEvent(late)) {
    early_.erase(begin);
    early_.erase(end);
    return true;
  }
  std::map<std::uint64_t, EarlyTime>& asked = early_[late];
  if (asked.erase(call.address) != 0) return true;
  asked[call.address] = {.call = call.Text(), .place = call.address, .recorded = records_[late]};
  return false;
}

void EventTimes::ReportAll() {
  while (!early_.empty()) Settle(early_.begin()->first);
  std::ranges::sort(settled_, {}, &EarlyTime::place);
  for (const EarlyTime& early : std::exchange(settled_, {})) {
    note_({.kind = FindingKind::kEarlyTime,
           .where = lines_.OfCall(early.place),
           .other = lines_.OfCall(early.recorded),
           .message = fmt::format("{} asks for the time of an event that may not be done{}: "
                                  "it returned cudaErrorNotReady and wrote no time",
                                  early.call, InBrackets(lines_.OfCall(early.recorded)))});
  }
}

}  // namespace warpcheck::order
