#include "cudart/order/call_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "cudart/order/order_watch.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

// Keeps one range of each kind, which holds all of its kind, if there are too many.
void Bound(std::vector<MemoryUse>& uses) {
  if (uses.size() <= HostCalls::kMostUses) return;
  std::vector<MemoryUse> hulls;
  for (const MemoryUse& use : uses) {
    const auto hull = std::ranges::find(hulls, use.kind, &MemoryUse::kind);
    if (hull == hulls.end()) {
      hulls.push_back(use);
    } else {
      hull->begin = std::min(hull->begin, use.begin);
      hull->end = std::max(hull->end, use.end);
    }
  }
  uses = std::move(hulls);
}

}  // namespace

std::uint32_t CallRecord::AddStream(HostStream stream) {
  if (calls_.streams.size() == HostCalls::kMostStreams) return HostCalls::kMostStreams;
  calls_.streams.push_back(std::move(stream));
  return static_cast<std::uint32_t>(calls_.streams.size() - 1);
}

void CallRecord::StreamCreated(cudaStream_t stream, bool non_blocking) {
  streams_[stream] =
      AddStream({.name = fmt::format("stream {}", ++created_), .non_blocking = non_blocking});
}

std::uint32_t CallRecord::IndexOf(Lane lane) {
  if (lane.node != nullptr) {
    const auto [found, is_new] = chains_.try_emplace(lane.node->chain, 0);
    if (is_new) {
      found->second = AddStream({.name = fmt::format("branch {} of a graph", chains_.size()),
                                 .non_blocking = true,
                                 .is_graph = true});
    }
    return found->second;
  }
  if (IsOfThread(lane.stream)) {
    const auto [found, is_new] = threads_.try_emplace(ThisThread(), 0);
    if (is_new) {
      found->second =
          AddStream({.name = fmt::format("the default stream of thread {}", threads_.size())});
    }
    return found->second;
  }
  const auto found = streams_.find(lane.stream);
  return found == streams_.end() ? 0 : found->second;
}

void CallRecord::Append(HostCall call, std::uint64_t place, const LaunchedNode* node) {
  calls_.totals.Add(call);
  if (call.stream == HostCalls::kMostStreams || looked_for_ == kMostLookedFor ||
      calls_.left_out != 0) {
    ++calls_.left_out;
    return;
  }
  if (node != nullptr) {
    place = node->place;
    call.function = node->call;
  } else if (place == 0) {
    ++looked_for_;
    const CallSite site = CurrentCall();
    place = site.address;
    call.function = site.function;
  }
  Bound(call.uses);
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

void CallRecord::Add(Lane lane, HostCall call, std::uint64_t place) {
  call.stream = IndexOf(lane);
  Append(std::move(call), place, lane.node);
}

void CallRecord::Recorded(order::Handle event, Lane lane) {
  const auto [found, is_new] = events_.try_emplace(event, 0);
  if (is_new) found->second = ++last_event_;
  Add(lane, {.kind = HostCall::Kind::kEventRecord, .event = found->second});
}

void CallRecord::Waits(Lane lane, order::Handle event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  Add(lane, {.kind = HostCall::Kind::kStreamWait, .event = found->second});
}

void CallRecord::HostWaitsForDevice() {
  Append({.kind = HostCall::Kind::kHostWait, .waits_for = HostCall::WaitsFor::kDevice}, 0);
}

void CallRecord::HostWaitsForStream(cudaStream_t stream) {
  Add(stream, {.kind = HostCall::Kind::kHostWait, .waits_for = HostCall::WaitsFor::kStream});
}

void CallRecord::HostWaitsForEvent(cudaEvent_t event) {
  const auto found = events_.find(reinterpret_cast<order::Handle>(event));
  if (found == events_.end()) return;
  Append({.kind = HostCall::Kind::kHostWait,
          .event = found->second,
          .waits_for = HostCall::WaitsFor::kEvent},
         0);
}

HostCalls CallRecord::Take(HostLines& lines) {
  HostCalls taken = std::exchange(calls_, Empty());
  calls_.streams = taken.streams;
  for (std::size_t i = 0; i < taken.calls.size(); ++i) {
    taken.calls[i].where = lines.OfCall(places_[i]);
  }
  places_.clear();
  looked_for_ = 0;
  return taken;
}

}  // namespace warpcheck::cudart
