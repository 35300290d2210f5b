#include "order/unrecorded_waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpcheck::order {

using Kind = HostEvent::Kind;

bool UnrecordedWaits::IsUnrecordedWait(const HostEvent& event) const {
  const bool waits =
      event.kind == Kind::kStreamWait ||
      (event.kind == Kind::kHostWait && event.waits_for == HostCall::WaitsFor::kEvent);
  return started_ && waits && !IsOfGraph(event.event) && !recorded_.contains(event.event);
}

bool UnrecordedWaits::NeedsSite(const HostEvent& event) const {
  return IsUnrecordedWait(event) ||
         (event.kind == Kind::kEventRecord && unrecorded_.contains(event.event));
}

void UnrecordedWaits::Read(const HostEvent& event) {
  if (IsUnrecordedWait(event)) {
    unrecorded_.try_emplace(event.event,
                            Wait{.call = event.site.function,
                                 .place = event.site.address,
                                 .stream = event.kind == Kind::kStreamWait ? event.stream : 0});
  }
  switch (event.kind) {
    case Kind::kStart:
      started_ = true;
      break;
    case Kind::kEventRecord:
      return ReadRecord(event);
    case Kind::kEventDestroy:
      return ReadDestroy(event.event);
    case Kind::kReset:
      started_ = false;
      recorded_.clear();
      unrecorded_.clear();
      never_.clear();
      too_early_.clear();
      break;
    case Kind::kEnd:
      return ReportAll();
    default:
      break;
  }
}

void UnrecordedWaits::ReadRecord(const HostEvent& event) {
  recorded_.insert(event.event);
  const auto found = unrecorded_.find(event.event);
  if (found == unrecorded_.end()) return;
  found->second.recorded = event.site.address;
  if (found->second.stream != 0) too_early_[found->second.stream] = found->second;
  unrecorded_.erase(found);
}

void UnrecordedWaits::ReadDestroy(Handle event) {
  recorded_.erase(event);
  const auto found = unrecorded_.find(event);
  if (found == unrecorded_.end()) return;
  never_.push_back(found->second);
  unrecorded_.erase(found);
}

std::string UnrecordedWaits::Explain(Handle stream) {
  std::string text;
  const auto wait = too_early_.find(stream);
  if (wait != too_early_.end()) {
    text +=
        fmt::format("; {}{} waits for an event that is recorded only later{}: it waits for nothing",
                    wait->second.call, InBrackets(lines_.OfCall(wait->second.place)),
                    InBrackets(lines_.OfCall(wait->second.recorded)));
  }
  const auto found = std::ranges::find_if(
      unrecorded_, [&](const auto& entry) { return entry.second.stream == stream; });
  if (found != unrecorded_.end()) {
    text += fmt::format("; {}{} waits for an event that nothing has recorded: it waits for nothing",
                        found->second.call, InBrackets(lines_.OfCall(found->second.place)));
    unrecorded_.erase(found);
  }
  return text;
}

void UnrecordedWaits::ReportAll() {
  std::vector<Wait> waits = std::exchange(never_, {});
  for (const auto& [event, wait] : std::exchange(unrecorded_, {})) waits.push_back(wait);
  std::ranges::sort(waits, {}, &Wait::place);
  for (const Wait& wait : waits) {
    note_({.kind = FindingKind::kUnrecordedEvent,
           .where = lines_.OfCall(wait.place),
           .message = fmt::format("{} waits for an event that the program never records: it waits "
                                  "for nothing",
                                  wait.call)});
  }
}

}  // namespace warpcheck::order
