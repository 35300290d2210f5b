// The basic idea: vector clocks. The operations of a stream are numbered. Each stream, each event
// and the host know how far every stream has come, which is a clock:
//
//     kernel 1 in stream A       A has come to 1
//     record event e in A        e knows {A: 1}
//     B waits for e              B knows {A: 1}
//     kernel 2 in B              each byte that it uses: who used it before?
//
// If kernel 1 wrote a byte, at the moment {A, 1}, kernel 2 comes after it, because B's clock covers
// that moment. Without the wait B's clock does not cover it, and the two are a clash. Timelines
// keep the clocks, and an AccessMap keeps who used a byte. The rest of this file is about there
// being three sets of clocks (promised, usual, asked), and about kernels that tell others that they
// are done (releases) or that begin early (programmatic launches).
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
  usual_.AddStream(stream, kind, line);
  asked_.AddStream(stream, kind, asked_.FreeLine());
}

void Order::RemoveStream(Handle stream) {
  if (promised_.Knows(stream | kStaging) && (stream & kStaging) == 0) {
    staging_.erase(promised_.LineOf(stream));
    RemoveStream(stream | kStaging);
  }
  promised_.RemoveStream(stream);
  usual_.RemoveStream(stream);
  asked_.RemoveStream(stream);
}

void Order::RemoveEvent(Handle event) {
  promised_.RemoveEvent(event);
  usual_.RemoveEvent(event);
  asked_.RemoveEvent(event);
}

void Order::Record(Handle event, Handle stream) {
  AddStream(stream, StreamKind::kBlocking);
  for (Timelines* const one : {&promised_, &usual_, &asked_}) one->Record(event, stream);
}

bool Order::Wait(Handle stream, Handle event) {
  AddStream(stream, StreamKind::kBlocking);
  usual_.Wait(stream, event);
  asked_.Wait(stream, event);
  return promised_.Wait(stream, event);
}

bool Order::HostWaitsForEvent(Handle event) {
  usual_.HostWaitsForEvent(event);
  asked_.HostWaitsForEvent(event);
  return promised_.HostWaitsForEvent(event);
}

void Order::HostWaitsForStream(Handle stream) {
  AddStream(stream, StreamKind::kBlocking);
  for (Timelines* const one : {&promised_, &usual_, &asked_}) one->HostWaitsForStream(stream);
}

void Order::HostUsuallyWaitsForStream(Handle stream) {
  AddStream(stream, StreamKind::kBlocking);
  usual_.HostWaitsForStream(stream);
}

void Order::HostWaitsForAll() {
  for (Timelines* const one : {&promised_, &usual_, &asked_}) one->HostWaitsForAll();
}

void Order::HostUsuallyWaitsForAll() { usual_.HostWaitsForAll(); }

bool Order::IsHostAfterStream(Handle stream) {
  AddStream(stream, StreamKind::kBlocking);
  return usual_.IsHostAfterStream(stream);
}

std::uint32_t Order::NumberOf(const Operation& operation) {
  const auto [found, is_new] =
      numbers_.emplace(operation, static_cast<std::uint32_t>(operations_.size()));
  if (is_new) operations_.push_back(operation);
  return found->second;
}

void Order::Note(Meetings& meetings, const AccessMap::Meeting& meeting, MemoryUse::Kind kind,
                 bool usual) {
  const AccessMap::Access& earlier = meeting.earlier;
  const Met now{.earlier = earlier.kind,
                .later = kind,
                .begin = meeting.begin,
                .end = meeting.end,
                .usual = usual,
                .moment = earlier.moment,
                .operation = earlier.operation};
  const auto [found, is_new] = meetings.try_emplace(earlier.moment.line, now);
  Met& met = found->second;
  // The report prefers a pair that goes wrong on today's GPUs to one that only lacks a promise, and
  // of two such pairs the one with the later operation.
  if (std::pair(met.usual, now.moment.time) > std::pair(usual, met.moment.time)) {
    met = now;
  } else if (!is_new && met.usual == usual && met.moment == now.moment &&
             met.earlier == now.earlier && met.later == kind) {
    met.begin = std::min(met.begin, now.begin);
    met.end = std::max(met.end, now.end);
  }
}

template <class Learn>
void Order::Tell(Meetings& meetings, const Operation& later, bool host, const How& how,
                 Learn learn) {
  const auto why = [&](const Moment& earlier) {
    if (!how.part || !promised_.IsBeforeNext(earlier, how.launched_in)) {
      return Clash::Programmatic::kNo;
    }
    return *how.part == LaunchPart::kBeforeWait ? Clash::Programmatic::kBeforeWait
                                                : Clash::Programmatic::kBrokenChain;
  };
  for (const auto& [line, staging] : staging_) {
    if (meetings.contains(line)) meetings.erase(staging);  // it comes before the stream's work
  }
  for (const auto& [line, met] : meetings) {
    const Clash::Programmatic programmatic = why(met.moment);
    learn(met.moment, met.usual);
    const auto staging = staging_.find(line);
    if (staging != staging_.end()) learn(promised_.LastOf(staging->second), met.usual);
    if (!told_.emplace(met.operation, later).second) continue;
    report_({.earlier = operations_[met.operation],
             .later = later,
             .earlier_kind = met.earlier,
             .later_kind = met.later,
             .begin = met.begin,
             .end = met.end,
             .host = host,
             .usual = met.usual,
             .programmatic = programmatic});
  }
}

void Order::RunKernel(Handle stream, const Operation& operation, const LaunchUses& uses,
                      bool programmatic) {
  if (!programmatic) return RunIn(stream, operation, uses.uses, {.is_kernel = true});
  AddStream(stream, StreamKind::kBlocking);
  asked_.Run(stream);
  std::vector<Handle> parts;
  const auto run = [&](LaunchPart part, std::span<const MemoryUse> ranges) {
    if (ranges.empty()) return;
    RunPart(stream, part, operation, ranges);
    parts.push_back(stream | (part == LaunchPart::kBeforeWait ? kBeforeWait : kAfterWait));
  };
  run(LaunchPart::kBeforeWait, uses.waits ? uses.before_wait : uses.uses);
  if (uses.waits) run(LaunchPart::kAfterWait, uses.uses);
  for (Timelines* const one : {&promised_, &usual_}) {
    one->End(stream, parts, uses.waits, uses.dependents_wait);
    for (const Handle part : parts) one->RemovePart(part);
  }
}

void Order::RunPart(Handle stream, LaunchPart part, const Operation& operation,
                    std::span<const MemoryUse> uses) {
  const bool before = part == LaunchPart::kBeforeWait;
  const Handle own = stream | (before ? kBeforeWait : kAfterWait);
  const std::uint32_t line = promised_.FreeLineFor(stream, part);
  for (Timelines* const one : {&promised_, &usual_}) {
    one->AddStream(own, StreamKind::kNonBlocking, line);
    one->Begin(stream, part, own);
    const Handle first = stream | kBeforeWait;
    if (!before && one->Knows(first)) one->Learns(own, one->LastOf(one->LineOf(first)));
  }
  RunIn(own, operation, uses, {.is_kernel = true, .part = part, .launched_in = stream});
}

void Order::RunIn(Handle stream, const Operation& operation, std::span<const MemoryUse> uses,
                  const How& how) {
  AddStream(stream, StreamKind::kBlocking);
  const Moment moment = promised_.Run(stream, how.is_kernel);
  usual_.Run(stream, how.is_kernel);
  if (!how.part) asked_.Run(stream, how.is_kernel);
  const AccessMap::Access access{.moment = moment, .operation = NumberOf(operation)};
  Meetings meetings;
  std::vector<Moment> flags;
  const auto covers = [&](const Moment& earlier) {
    return promised_.IsBeforeStream(earlier, stream);
  };
  for (const MemoryUse& use : uses) {
    accesses_.Add(use, access, covers, [&](const AccessMap::Meeting& meeting) {
      const AccessMap::Access& earlier = meeting.earlier;
      if (!how.may_read_a_flag || use.kind != MemoryUse::Kind::kRead || !IsAtomic(earlier.kind)) {
        Note(meetings, meeting, use.kind, usual_.IsBeforeStream(earlier.moment, stream));
      } else if (earlier.kind == MemoryUse::Kind::kRelease) {
        flags.push_back(earlier.moment);
      }
    });
  }
  for (const Moment& flag : flags) {
    const Released& released = releases_.at({flag.line, flag.time});
    promised_.Learns(stream, released.promised);
    usual_.Learns(stream, released.usual);
    asked_.Learns(stream, released.asked);
  }
  Tell(meetings, operation, false, how, [&](const Moment& earlier, bool usual) {
    for (const Handle one : {stream, how.part ? how.launched_in : stream}) {
      promised_.Learns(one, earlier);
      if (!usual) usual_.Learns(one, earlier);
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
  usual_.HostWaitsForStream(staging);
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
                                           .usual = usual_.ClockOf(stream),
                                           .asked = asked_.ClockOf(launched_in)};
}

template <class Body>
void Order::EachUnfinished(const MemoryUse& range, Body body) const {
  const MemoryUse any{.kind = MemoryUse::Kind::kWrite, .begin = range.begin, .end = range.end};
  accesses_.Look(
      any, [&](const Moment& earlier) { return promised_.IsBeforeHost(earlier); },
      [&](const AccessMap::Meeting& meeting) {
        if (!host_functions_.contains(meeting.earlier.operation)) body(meeting.earlier);
      });
}

bool Order::LearnFrom(const MemoryUse& range) {
  std::vector<Moment> moments;
  EachUnfinished(range, [&](const AccessMap::Access& access) {
    if (access.kind == MemoryUse::Kind::kRelease) moments.push_back(access.moment);
  });
  for (const Moment& moment : moments) {
    const Released& released = releases_.at({moment.line, moment.time});
    promised_.HostLearns(released.promised);
    usual_.HostLearns(released.usual);
    asked_.HostLearns(released.asked);
  }
  return !moments.empty();
}

bool Order::HostTouches(const Operation& operation, const MemoryUse& byte, const MemoryUse& page) {
  bool flag = false;
  EachUnfinished(byte,
                 [&](const AccessMap::Access& access) { flag = flag || IsSignal(access.kind); });
  if (!flag) HostUses(operation, {&byte, 1});
  return LearnFrom(page);
}

void Order::HostUses(const Operation& operation, std::span<const MemoryUse> uses) {
  Meetings meetings;
  for (const MemoryUse& use : uses) {
    accesses_.Look(
        use, [&](const Moment& earlier) { return promised_.IsBeforeHost(earlier); },
        [&](const AccessMap::Meeting& meeting) {
          if (host_functions_.contains(meeting.earlier.operation)) return;
          Note(meetings, meeting, use.kind, usual_.IsBeforeHost(meeting.earlier.moment));
        });
  }
  Tell(meetings, operation, true, {}, [&](const Moment& earlier, bool usual) {
    promised_.HostLearns(earlier);
    if (!usual) usual_.HostLearns(earlier);
  });
}

void Order::EachPending(DeviceAddress begin, DeviceAddress end,
                        const std::function<void(DeviceAddress, DeviceAddress, bool)>& body) const {
  const MemoryUse all{.kind = MemoryUse::Kind::kWrite, .begin = begin, .end = end};
  accesses_.Look(
      all, [&](const Moment& earlier) { return promised_.IsBeforeHost(earlier); },
      [&](const AccessMap::Meeting& meeting) {
        if (host_functions_.contains(meeting.earlier.operation)) return;
        body(meeting.begin, meeting.end, meeting.earlier.kind != MemoryUse::Kind::kRead);
      });
}

}  // namespace warpcheck::order
