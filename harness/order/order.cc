// The basic idea: vector clocks. The operations of a stream are numbered. Each stream, each event
// and the host know how far every stream has come, which is a clock:
//
//     kernel 1 in stream A       A has come to 1
//     record event e in A        e knows {A: 1}
//     B waits for e              B knows {A: 1}
//     kernel 2 in B              each byte that it uses: who used it before?
//
// If kernel 1 wrote a byte, at the moment {A, 1}, kernel 2 comes after it, because B's clock covers
// that moment. Without the wait B's clock does not cover it, and the two are a clash. Clocks
// keep the clocks, and an AccessMap keeps who used a byte. The rest of this file is about there
// being three sets of clocks (promised, in practice, requested), and about kernels that tell others
// that they are done (releases) or that begin early (programmatic launches).
#include "order/order.h"

#include <algorithm>

namespace warpcheck::order {

namespace {

// Reads of the host's memory are work of a line of their own for each stream. Its number is that of
// the stream with this bit.
constexpr Handle kStaging = Handle{1} << 63;
// So are the two parts of a programmatic launch.
constexpr Handle kBeforeWait = Handle{1} << 60;
constexpr Handle kAfterWait = Handle{1} << 59;

}  // namespace

// Both orders give a stream the same line, so that a moment means the same in both.
void Order::AddStream(Handle stream, StreamKind kind) {
  if (promised_.Knows(stream)) return;
  const std::uint32_t line = promised_.FreeLine();
  promised_.AddStream(stream, kind, line);
  in_practice_.AddStream(stream, kind, line);
  requested_.AddStream(stream, kind, requested_.FreeLine());
}

void Order::RemoveStream(Handle stream) {
  if (promised_.Knows(stream | kStaging) && (stream & kStaging) == 0) {
    staging_.erase(promised_.LineOf(stream));
    RemoveStream(stream | kStaging);
  }
  promised_.RemoveStream(stream);
  in_practice_.RemoveStream(stream);
  requested_.RemoveStream(stream);
}

void Order::RemoveEvent(Handle event) {
  promised_.RemoveEvent(event);
  in_practice_.RemoveEvent(event);
  requested_.RemoveEvent(event);
}

void Order::Record(Handle event, Handle stream) {
  AddStream(stream, StreamKind::kBlocking);
  for (Clocks* const one : {&promised_, &in_practice_, &requested_}) one->Record(event, stream);
}

bool Order::Wait(Handle stream, Handle event) {
  AddStream(stream, StreamKind::kBlocking);
  in_practice_.Wait(stream, event);
  requested_.Wait(stream, event);
  return promised_.Wait(stream, event);
}

bool Order::HostWaitsForEvent(Handle event) {
  ++host_waits_;
  in_practice_.HostWaitsForEvent(event);
  requested_.HostWaitsForEvent(event);
  return promised_.HostWaitsForEvent(event);
}

void Order::HostWaitsForStream(Handle stream) {
  ++host_waits_;
  AddStream(stream, StreamKind::kBlocking);
  for (Clocks* const one : {&promised_, &in_practice_, &requested_})
    one->HostWaitsForStream(stream);
}

void Order::HostWaitsInPracticeForStream(Handle stream) {
  AddStream(stream, StreamKind::kBlocking);
  in_practice_.HostWaitsForStream(stream);
}

void Order::HostWaitsForAll() {
  ++host_waits_;
  for (Clocks* const one : {&promised_, &in_practice_, &requested_}) one->HostWaitsForAll();
}

void Order::HostWaitsInPracticeForAll() { in_practice_.HostWaitsForAll(); }

bool Order::IsHostAfterStream(Handle stream) {
  AddStream(stream, StreamKind::kBlocking);
  return in_practice_.IsHostAfterStream(stream);
}

std::uint32_t Order::NumberOf(const Operation& operation) {
  const auto [found, is_new] =
      numbers_.emplace(operation, static_cast<std::uint32_t>(operations_.size()));
  if (is_new) operations_.push_back(operation);
  return found->second;
}

void Order::AddConflict(StreamConflicts& conflicts, const AccessMap::Conflict& conflict,
                        MemoryUse::Kind kind, bool unpromised) {
  const AccessMap::Access& earlier = conflict.earlier;
  const StreamConflict now{.earlier = earlier.kind,
                           .later = kind,
                           .begin = conflict.begin,
                           .end = conflict.end,
                           .unpromised = unpromised,
                           .moment = earlier.moment,
                           .operation = earlier.operation};
  const auto [found, is_new] = conflicts.try_emplace(earlier.moment.line, now);
  StreamConflict& known = found->second;
  // The report prefers a pair that goes wrong on today's GPUs to one that only lacks a promise, and
  // of two such pairs the one with the later operation.
  if (std::pair(known.unpromised, now.moment.time) > std::pair(unpromised, known.moment.time)) {
    known = now;
  } else if (!is_new && known.unpromised == unpromised && known.moment == now.moment &&
             known.earlier == now.earlier && known.later == kind) {
    known.begin = std::min(known.begin, now.begin);
    known.end = std::max(known.end, now.end);
  }
}

template <class OrderAfter>
void Order::ReportConflicts(StreamConflicts& conflicts, const Operation& later, bool host,
                            const How& how, OrderAfter order_after) {
  const auto why = [&](const Moment& earlier) {
    if (!how.part || !promised_.IsBeforeNext(earlier, how.launched_in)) {
      return Clash::Programmatic::kNo;
    }
    return *how.part == LaunchPart::kBeforeWait ? Clash::Programmatic::kBeforeWait
                                                : Clash::Programmatic::kBrokenChain;
  };
  for (const auto& [line, staging] : staging_) {
    if (conflicts.contains(line)) conflicts.erase(staging);  // it comes before the stream's work
  }
  for (const auto& [line, conflict] : conflicts) {
    const Clash::Programmatic programmatic = why(conflict.moment);
    order_after(conflict.moment, conflict.unpromised);
    const auto staging = staging_.find(line);
    if (staging != staging_.end())
      order_after(promised_.LastOf(staging->second), conflict.unpromised);
    if (!reported_.emplace(conflict.operation, later).second) continue;
    report_({.earlier = operations_[conflict.operation],
             .later = later,
             .earlier_kind = conflict.earlier,
             .later_kind = conflict.later,
             .begin = conflict.begin,
             .end = conflict.end,
             .host = host,
             .unpromised = conflict.unpromised,
             .programmatic = programmatic});
  }
}

void Order::RunKernel(Handle stream, const Operation& operation, const LaunchUses& uses,
                      bool programmatic) {
  if (!programmatic) return RunIn(stream, operation, uses.uses, {.is_kernel = true});
  AddStream(stream, StreamKind::kBlocking);
  requested_.Run(stream);
  std::vector<Handle> parts;
  const auto run = [&](LaunchPart part, std::span<const MemoryUse> ranges) {
    if (ranges.empty()) return;
    RunPart(stream, part, operation, ranges);
    parts.push_back(stream | (part == LaunchPart::kBeforeWait ? kBeforeWait : kAfterWait));
  };
  run(LaunchPart::kBeforeWait, uses.waits ? uses.before_wait : uses.uses);
  if (uses.waits) run(LaunchPart::kAfterWait, uses.uses);
  for (Clocks* const one : {&promised_, &in_practice_}) {
    one->End(stream, parts, uses.waits, uses.dependents_wait);
    for (const Handle part : parts) one->RemovePart(part);
  }
}

void Order::RunPart(Handle stream, LaunchPart part, const Operation& operation,
                    std::span<const MemoryUse> uses) {
  const bool before = part == LaunchPart::kBeforeWait;
  const Handle own = stream | (before ? kBeforeWait : kAfterWait);
  const std::uint32_t line = promised_.FreeLineFor(stream, part);
  for (Clocks* const one : {&promised_, &in_practice_}) {
    one->AddStream(own, StreamKind::kNonBlocking, line);
    one->Begin(stream, part, own);
    const Handle first = stream | kBeforeWait;
    if (!before && one->Knows(first)) one->JoinStream(own, one->LastOf(one->LineOf(first)));
  }
  RunIn(own, operation, uses, {.is_kernel = true, .part = part, .launched_in = stream});
}

void Order::RunIn(Handle stream, const Operation& operation, std::span<const MemoryUse> uses,
                  const How& how) {
  AddStream(stream, StreamKind::kBlocking);
  const Moment moment = promised_.Run(stream, how.is_kernel);
  in_practice_.Run(stream, how.is_kernel);
  if (!how.part) requested_.Run(stream, how.is_kernel);
  const AccessMap::Access access{.moment = moment,
                                 .operation = uses.empty() ? 0 : NumberOf(operation)};
  StreamConflicts conflicts;
  std::vector<Moment> flags;
  const auto covers = [&](const Moment& earlier) {
    return promised_.IsBeforeStream(earlier, stream);
  };
  for (const MemoryUse& use : uses) {
    accesses_.Add(use, access, covers, [&](const AccessMap::Conflict& conflict) {
      const AccessMap::Access& earlier = conflict.earlier;
      if (!how.may_read_a_flag || use.kind != MemoryUse::Kind::kRead || !IsAtomic(earlier.kind)) {
        AddConflict(conflicts, conflict, use.kind,
                    in_practice_.IsBeforeStream(earlier.moment, stream));
      } else if (earlier.kind == MemoryUse::Kind::kRelease) {
        flags.push_back(earlier.moment);
      }
    });
  }
  for (const Moment& flag : flags) {
    const Released& released = releases_.at({flag.line, flag.time});
    promised_.JoinStream(stream, released.promised);
    in_practice_.JoinStream(stream, released.in_practice);
    requested_.JoinStream(stream, released.requested);
  }
  ReportConflicts(conflicts, operation, false, how, [&](const Moment& earlier, bool unpromised) {
    for (const Handle one : {stream, how.part ? how.launched_in : stream}) {
      promised_.JoinStream(one, earlier);
      if (!unpromised) in_practice_.JoinStream(one, earlier);
    }
  });
  const bool releases = std::ranges::any_of(
      uses, [](const MemoryUse& use) { return use.kind == MemoryUse::Kind::kRelease; });
  if (releases) NoteRelease(stream, how.part ? how.launched_in : stream, moment);
}

void Order::RunStaging(Handle stream, const Operation& operation,
                       std::span<const MemoryUse> reads) {
  const Handle staging = stream | kStaging;
  AddStream(stream, StreamKind::kBlocking);
  AddStream(staging, StreamKind::kNonBlocking);
  staging_[promised_.LineOf(stream)] = promised_.LineOf(staging);
  promised_.Record(staging, stream);
  promised_.Wait(staging, staging);
  Run(staging, operation, reads);
  in_practice_.HostWaitsForStream(staging);
  Record(staging, staging);
  Wait(stream, staging);
}

void Order::RunHostFunction(Handle stream, const Operation& operation,
                            std::span<const MemoryUse> uses) {
  host_functions_.insert(NumberOf(operation));
  Run(stream, operation, uses);
}

void Order::NoteRelease(Handle stream, Handle launched_in, const Moment& moment) {
  std::erase_if(releases_, [&](const auto& entry) {
    return promised_.IsBeforeHost({entry.first.first, entry.first.second});
  });
  releases_[{moment.line, moment.time}] = {.promised = promised_.ClockOf(stream),
                                           .in_practice = in_practice_.ClockOf(stream),
                                           .requested = requested_.ClockOf(launched_in)};
}

template <class Body>
void Order::EachUnfinished(const MemoryUse& range, Body body) const {
  const MemoryUse any{.kind = MemoryUse::Kind::kWrite, .begin = range.begin, .end = range.end};
  accesses_.FindConflicts(
      any, [&](const Moment& earlier) { return promised_.IsBeforeHost(earlier); },
      [&](const AccessMap::Conflict& conflict) {
        if (!host_functions_.contains(conflict.earlier.operation)) body(conflict.earlier);
      });
}

bool Order::ReadFlags(const MemoryUse& range) {
  std::vector<Moment> moments;
  EachUnfinished(range, [&](const AccessMap::Access& access) {
    if (access.kind == MemoryUse::Kind::kRelease) moments.push_back(access.moment);
  });
  for (const Moment& moment : moments) {
    const Released& released = releases_.at({moment.line, moment.time});
    promised_.JoinHost(released.promised);
    in_practice_.JoinHost(released.in_practice);
    requested_.JoinHost(released.requested);
  }
  if (!moments.empty()) ++host_waits_;
  return !moments.empty();
}

bool Order::HostTouches(const Operation& operation, const MemoryUse& byte, const MemoryUse& page) {
  bool flag = false;
  EachUnfinished(byte,
                 [&](const AccessMap::Access& access) { flag = flag || IsSignal(access.kind); });
  if (!flag) HostUses(operation, {&byte, 1});
  return ReadFlags(page);
}

void Order::HostUses(const Operation& operation, std::span<const MemoryUse> uses) {
  StreamConflicts conflicts;
  for (const MemoryUse& use : uses) {
    accesses_.FindConflicts(
        use, [&](const Moment& earlier) { return promised_.IsBeforeHost(earlier); },
        [&](const AccessMap::Conflict& conflict) {
          if (host_functions_.contains(conflict.earlier.operation)) return;
          AddConflict(conflicts, conflict, use.kind,
                      in_practice_.IsBeforeHost(conflict.earlier.moment));
        });
  }
  ReportConflicts(conflicts, operation, true, {}, [&](const Moment& earlier, bool unpromised) {
    promised_.JoinHost(earlier);
    if (!unpromised) in_practice_.JoinHost(earlier);
  });
}

void Order::EachPending(DeviceAddress begin, DeviceAddress end,
                        const std::function<void(DeviceAddress, DeviceAddress, bool)>& body) const {
  const MemoryUse all{.kind = MemoryUse::Kind::kWrite, .begin = begin, .end = end};
  accesses_.FindConflicts(
      all, [&](const Moment& earlier) { return promised_.IsBeforeHost(earlier); },
      [&](const AccessMap::Conflict& conflict) {
        if (host_functions_.contains(conflict.earlier.operation)) return;
        body(conflict.begin, conflict.end, conflict.earlier.kind != MemoryUse::Kind::kRead);
      });
}

}  // namespace warpcheck::order
