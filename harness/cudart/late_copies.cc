#include "cudart/late_copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cudart/misuse.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
void LateCopies::Remember(Call call, const order::Moment& moment) {
  call.line = moment.line;
  const auto [found, is_new] =
      calls_.try_emplace(std::move(call), Last{.number = calls_.size(), .moment = moment});
  if (!is_new) found->second.moment = moment;
}

void LateCopies::Add(const order::Moment& moment, Target target, const CallSite& call) {
  Remember({.text = call.Text(), .place = call.address, .bytes = target.extent.Bytes()}, moment);
  AddLate(std::move(target), moment);
}

void LateCopies::AddWrites(const order::Moment& moment, std::vector<Target> targets) {
  for (Target& target : targets) AddLate(std::move(target), moment);
}

void LateCopies::AddKernel(const order::Moment& moment, std::string kernel, std::uint64_t place) {
  Remember({.text = std::move(kernel), .place = place, .kernel = true}, moment);
}

void LateCopies::AddLate(Target target, const order::Moment& moment) {
  const auto begin = reinterpret_cast<std::uintptr_t>(target.host);
  const std::uintptr_t end = begin + SpanOf(target.strides, target.extent).value_or(0);
  late_[begin] = {.end = end, .target = std::move(target), .moment = moment};
  queues_[moment.line].emplace_back(moment.time, begin);
}

LateCopies::LateMap::iterator LateCopies::Deliver(LateMap::iterator late) {
  const Target& target = late->second.target;
  MoveBox(target.host, target.strides, target.bytes.data(), Packed(target.extent), target.extent);
  return late_.erase(late);
}

void LateCopies::Deliver() {
  for (auto late = late_.begin(); late != late_.end();) late = Deliver(late);
  queues_.clear();
}

void LateCopies::Deliver(const void* start, std::uint64_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  auto late = late_.lower_bound(begin);
  if (late != late_.begin() && std::prev(late)->second.end > begin) --late;
  while (late != late_.end() && late->first - begin < bytes) late = Deliver(late);
}

void LateCopies::DeliverFinished(const order::Order& order) {
  for (auto& [line, queue] : queues_) {
    while (!queue.empty()) {
      const auto [time, begin] = queue.front();
      const order::Moment moment{.line = line, .time = time};
      if (!order.HasHostWaited(moment)) break;
      queue.pop_front();
      const auto late = late_.find(begin);
      if (late != late_.end() && late->second.moment == moment) Deliver(late);
    }
  }
}

void LateCopies::WaitForAll() {
  Deliver();
  calls_.clear();
}

void LateCopies::NoteLeftovers(Runtime& runtime) {
  Deliver();
  std::map<std::uint64_t, const Call*> leftovers;
  for (const auto& [call, last] : calls_) {
    if (!runtime.order.IsWaitedFor(last.moment, call.kernel)) leftovers[last.number] = &call;
  }
  for (const auto& [number, call] : leftovers) {
    Finding finding{.kind = FindingKind::kUnfinishedKernel,
                    .where = runtime.lines.OfCall(call->place)};
    if (call->kernel) {
      finding.message = fmt::format(
          "the program does not wait for {} in a non-blocking stream: its results "
          "may not be there yet when the default stream goes on",
          call->text);
    } else {
      finding.kind = FindingKind::kUnfinishedCopy;
      finding.message = fmt::format(
          "the program does not wait for {}, which copies {} to the host: "
          "the host may still read the old bytes there",
          call->text, Counted(call->bytes, "byte"));
    }
    NoteMisuse(runtime, finding);
  }
  calls_.clear();
}

KeptBytes::KeptBytes(std::byte* host, const Strides& strides, const Extent3& extent)
    : old_{.host = host, .strides = strides, .extent = extent} {
  old_.bytes.resize(extent.Bytes());
  MoveBox(old_.bytes.data(), Packed(extent), host, strides, extent);
}

LateCopies::Target KeptBytes::TakeNew() {
  LateCopies::Target now{.host = old_.host, .strides = old_.strides, .extent = old_.extent};
  now.bytes.resize(old_.bytes.size());
  const Strides packed = Packed(old_.extent);
  MoveBox(now.bytes.data(), packed, old_.host, old_.strides, old_.extent);
  MoveBox(old_.host, old_.strides, old_.bytes.data(), packed, old_.extent);
  return now;
}

}  // namespace warpcheck::cudart
