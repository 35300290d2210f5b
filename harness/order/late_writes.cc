#include "order/late_writes.h"

#include <fmt/format.h>

#include "base/text.h"

namespace warpcheck::order {

using Kind = HostEvent::Kind;

bool LateWrites::NeedsSite(const HostEvent& event) const {
  return event.kind == Kind::kCopy && !event.late.empty();
}

void LateWrites::Read(const HostEvent& event) {
  if (event.kind == Kind::kBlockingCall) {
    Deliver();
    calls_.clear();
  } else if (event.kind == Kind::kReset) {
    late_.clear();
    queues_.clear();
    calls_.clear();
    host_waits_ = 0;
  } else if (event.kind == Kind::kEnd) {
    ReportAll();
  }
  const bool unseen_kernel = event.kind == Kind::kKernel && names_.IsNonBlocking(event);
  if (!event.late.empty() || unseen_kernel) {
    const Moment moment = checker_.order().LastIn(event.stream);
    if (unseen_kernel) {
      Remember({.text = event.kernel, .place = event.Place(), .kernel = true}, moment);
    } else if (event.kind == Kind::kCopy && event.to != HostCall::Memory::kManaged) {
      Remember({.text = event.site.Text(), .place = event.site.address, .bytes = event.bytes},
               moment);
    }
    for (const LateWrite& write : event.late) Add(write, moment);
  }
  if (host_waits_ != checker_.order().host_waits()) DeliverFinished();
}

void LateWrites::Remember(Call call, const Moment& moment) {
  call.line = moment.line;
  const auto [found, is_new] =
      calls_.try_emplace(std::move(call), Last{.number = calls_.size(), .moment = moment});
  if (!is_new) found->second.moment = moment;
}

void LateWrites::Add(const LateWrite& write, const Moment& moment) {
  const auto begin = reinterpret_cast<std::uintptr_t>(write.host);
  const std::uintptr_t end = begin + SpanOf(write.strides, write.extent).value_or(0);
  late_[begin] = {.end = end, .write = write, .moment = moment};
  queues_[moment.line].emplace_back(moment.time, begin);
}

LateWrites::LateMap::iterator LateWrites::Deliver(LateMap::iterator late) {
  const LateWrite& write = late->second.write;
  MoveBox(write.host, write.strides, write.bytes->data(), Packed(write.extent), write.extent);
  return late_.erase(late);
}

void LateWrites::Deliver() {
  for (auto late = late_.begin(); late != late_.end();) late = Deliver(late);
  queues_.clear();
}

void LateWrites::Deliver(const void* start, std::uint64_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(start);
  auto late = late_.lower_bound(begin);
  if (late != late_.begin() && std::prev(late)->second.end > begin) --late;
  while (late != late_.end() && late->first - begin < bytes) late = Deliver(late);
}

void LateWrites::DeliverFinished() {
  const Order& order = checker_.order();
  host_waits_ = order.host_waits();
  for (auto& [line, queue] : queues_) {
    while (!queue.empty()) {
      const auto [time, begin] = queue.front();
      const Moment moment{.line = line, .time = time};
      if (!order.HasHostWaited(moment)) break;
      queue.pop_front();
      const auto late = late_.find(begin);
      if (late != late_.end() && late->second.moment == moment) Deliver(late);
    }
  }
}

bool LateWrites::IsWaitedFor(const Moment& moment, bool kernel) {
  Order& order = checker_.order();
  return order.HasHostWaited(moment) || (kernel && order.IsBeforeNext(moment, kDefaultStream));
}

void LateWrites::ReportAll() {
  Deliver();
  std::map<std::uint64_t, const Call*> leftovers;
  for (const auto& [call, last] : calls_) {
    if (!IsWaitedFor(last.moment, call.kernel)) leftovers[last.number] = &call;
  }
  for (const auto& [number, call] : leftovers) {
    Finding finding{.kind = FindingKind::kUnfinishedKernel, .where = lines_.OfCall(call->place)};
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
    note_(finding);
  }
  calls_.clear();
}

}  // namespace warpcheck::order
