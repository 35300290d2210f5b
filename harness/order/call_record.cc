#include "order/call_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace warpcheck::order {
namespace {

using Kind = HostEvent::Kind;
using WaitsFor = HostCall::WaitsFor;

// Returns the uses of an operation; if there are too many, one range of each kind, which holds all
// of its kind. The source of a staged copy is left out, because it is read before the copy works.
std::vector<MemoryUse> UsesOf(const HostEvent& event) {
  const auto is_left_out = [staged = IsStaged(event)](const MemoryUse& use) {
    return staged && use.kind == MemoryUse::Kind::kRead;
  };
  const auto first = std::ranges::find_if_not(event.uses.uses, is_left_out);
  const std::span all(first, event.uses.uses.end());
  const bool bounded = all.size() > HostCalls::kMostUses;
  std::vector<MemoryUse> uses;
  for (const MemoryUse& use : all) {
    const auto hull = bounded ? std::ranges::find(uses, use.kind, &MemoryUse::kind) : uses.end();
    if (hull == uses.end()) {
      uses.push_back(use);
    } else {
      hull->begin = std::min(hull->begin, use.begin);
      hull->end = std::max(hull->end, use.end);
    }
  }
  return uses;
}

}  // namespace

bool CallRecord::NeedsSite(const HostEvent& event) const {
  if (event.node || calls_.left_out != 0) return false;
  return event.IsOperation() || IsOneOf(event.kind, Kind::kHostFunction, Kind::kEventRecord,
                                        Kind::kStreamWait, Kind::kHostWait, Kind::kHostFree);
}

void CallRecord::Read(const HostEvent& event) {
  switch (event.kind) {
    case Kind::kCopy:
      return Add(event, {.from = event.from,
                         .to = event.to,
                         .bytes = event.bytes,
                         .asynchronous = event.asynchronous,
                         .waits_for = PromisedWait(event),
                         .uses = started_ ? UsesOf(event) : std::vector<MemoryUse>()});
    case Kind::kFill:
      return Add(event, {.kind = HostCall::Kind::kFill,
                         .to = event.to,
                         .bytes = event.bytes,
                         .asynchronous = event.asynchronous,
                         .waits_for = PromisedWait(event),
                         .uses = started_ ? UsesOf(event) : std::vector<MemoryUse>()});
    case Kind::kKernel:
      return Add(event, {.kind = HostCall::Kind::kKernel,
                         .kernel = event.kernel,
                         .uses = started_ ? UsesOf(event) : std::vector<MemoryUse>(),
                         .tells_the_host = started_ && event.tells_the_host});
    case Kind::kAllocation:
      return Add(
          event,
          {.kind = HostCall::Kind::kAllocation, .bytes = event.bytes, .uses = UsesOf(event)});
    case Kind::kFree:
      return Add(event,
                 {.kind = HostCall::Kind::kFree, .bytes = event.bytes, .uses = UsesOf(event)});
    case Kind::kHostFunction:
      return Add(event, {.kind = HostCall::Kind::kHostFunction});
    case Kind::kStreamCreate:
      if (!IsOfGraph(event.stream)) {
        streams_[event.stream] =
            AddStream({.name = names_.NameOf(event.stream),
                       .non_blocking = event.stream_kind == StreamKind::kNonBlocking});
      }
      break;
    case Kind::kStreamDestroy:
      if (!IsOfGraph(event.stream)) streams_.erase(event.stream);
      break;
    case Kind::kEventRecord: {
      const auto [found, is_new] = events_.try_emplace(event.event, 0);
      if (is_new) found->second = ++last_event_;
      return Add(event, {.kind = HostCall::Kind::kEventRecord, .event = found->second});
    }
    case Kind::kEventDestroy:
      events_.erase(event.event);
      break;
    case Kind::kStreamWait:  // it does nothing if the event was never recorded
      if (const auto found = events_.find(event.event); found != events_.end()) {
        Add(event, {.kind = HostCall::Kind::kStreamWait, .event = found->second});
      }
      break;
    case Kind::kHostWait:
    case Kind::kHostFree:
      return ReadHostWait(event);
    case Kind::kStart:
    case Kind::kReset:
      started_ = event.kind == Kind::kStart;
      break;
    default:
      break;
  }
}

void CallRecord::ReadHostWait(const HostEvent& event) {
  HostCall call{.kind = HostCall::Kind::kHostWait, .waits_for = WaitInPractice(event)};
  if (call.waits_for == WaitsFor::kEvent) {
    const auto found = events_.find(event.event);
    if (found == events_.end()) return;  // it waits for nothing
    call.event = found->second;
  }
  Add(event, std::move(call));
}

std::uint32_t CallRecord::AddStream(HostStream stream) {
  if (calls_.streams.size() == HostCalls::kMostStreams) return HostCalls::kMostStreams;
  calls_.streams.push_back(std::move(stream));
  return static_cast<std::uint32_t>(calls_.streams.size() - 1);
}

std::uint32_t CallRecord::IndexOf(const HostEvent& event) {
  const auto found = streams_.find(event.stream);
  if (found != streams_.end()) return found->second;
  if (IsOfGraph(event.stream)) {
    return streams_[event.stream] =
               AddStream({.name = fmt::format("branch {} of a graph", ++branches_),
                          .non_blocking = true,
                          .is_graph = true});
  }
  if (event.stream >= kFirstOfThreads) {
    return streams_[event.stream] = AddStream({.name = names_.NameOf(event.stream)});
  }
  return 0;
}

void CallRecord::Add(const HostEvent& event, HostCall call) {
  call.stream = IndexOf(event);
  calls_.totals.Add(call);
  if (call.stream == HostCalls::kMostStreams || calls_.left_out != 0) {
    ++calls_.left_out;
    return;
  }
  call.function = event.Function();
  const std::uint64_t place = event.Place();
  if (!calls_.calls.empty() && places_.back() == place) {
    HostCall& last = calls_.calls.back();
    const std::uint64_t count = std::exchange(last.count, 1);
    const bool same = last == call;
    last.count = same ? count + 1 : count;
    if (same) return;
  }
  if (calls_.calls.size() == HostCalls::kMost) {
    ++calls_.left_out;
    return;
  }
  calls_.calls.push_back(std::move(call));
  places_.push_back(place);
}

HostCalls CallRecord::Take(HostLines& lines) {
  HostCalls taken = std::exchange(calls_, Empty());
  calls_.streams = taken.streams;
  for (std::size_t i = 0; i < taken.calls.size(); ++i) {
    taken.calls[i].where = lines.OfCall(places_[i]);
  }
  places_.clear();
  return taken;
}

}  // namespace warpcheck::order
