#include "order/call_order.h"

#include <algorithm>

#include "order/clocks.h"
#include "order/host_event.h"

namespace warpcheck::order {
namespace {

// Returns whether an operation may write something by which the host learns that it has run.
bool MayWriteToTheHost(const HostCall& call) {
  return call.kind == HostCall::Kind::kHostFunction || call.tells_the_host;
}

// Returns whether the host may learn that an operation has run, without a wait.
bool MayTellTheHost(const HostCall& call) {
  if (MayWriteToTheHost(call)) return true;
  return IsWork(call) && call.kind != HostCall::Kind::kKernel && !call.asynchronous;
}

Handle HandleOf(std::uint32_t stream) { return Handle{stream} + 1; }

StreamKind KindOf(const HostStream& stream) {
  if (stream.is_default) return StreamKind::kLegacy;
  return stream.non_blocking ? StreamKind::kNonBlocking : StreamKind::kBlocking;
}

}  // namespace

bool IsWork(const HostCall& call) {
  return IsOneOf(call.kind, HostCall::Kind::kCopy, HostCall::Kind::kFill, HostCall::Kind::kKernel);
}

CallOrder::CallOrder(const HostCalls& calls, const Which& ignored)
    : CallOrder(calls, ignored, false) {}

CallOrder::CallOrder(const HostCalls& calls, const Which& ignored, bool with_told)
    : calls_(calls),
      places_(calls.calls.size()),
      lines_(calls.streams.size()),
      host_waits_(calls.calls.size()) {
  Clocks clocks;
  for (std::uint32_t stream = 0; stream < calls.streams.size(); ++stream) {
    clocks.AddStream(HandleOf(stream), KindOf(calls.streams[stream]), stream);
  }
  for (std::size_t i = 0; i < calls.calls.size(); ++i) {
    const HostCall& call = calls.calls[i];
    const bool waits = call.waits_for != HostCall::WaitsFor::kNothing && !(ignored && ignored(i));
    const Clock before = waits ? clocks.ClockOfHost() : Clock();
    if (waits && call.waits_for == HostCall::WaitsFor::kEarlierWork) {
      clocks.HostWaitsForStream(HandleOf(call.stream));
    }
    if (call.IsOperation()) {
      std::vector<std::size_t>& line = lines_[call.stream];
      places_[i].moment = clocks.Run(HandleOf(call.stream));
      places_[i].clock = clocks.ClockOf(HandleOf(call.stream));
      if (!line.empty()) places_[i].previous = line.back();
      line.push_back(i);
      if (with_told && MayWriteToTheHost(call)) clocks.HostWaitsForStream(HandleOf(call.stream));
    } else if (call.kind == HostCall::Kind::kEventRecord) {
      clocks.Record(call.event, HandleOf(call.stream));
    } else if (call.kind == HostCall::Kind::kStreamWait) {
      clocks.Wait(HandleOf(call.stream), call.event);
    }
    if (!waits) continue;
    LetHostWait(clocks, call.waits_for, HandleOf(call.stream), call.event);
    for (std::uint32_t line = 0; line < lines_.size(); ++line) {
      const std::uint64_t time = clocks.ClockOfHost().At(line);
      if (time > before.At(line)) host_waits_[i].push_back(lines_[line][time - 1]);
    }
  }
  finished_ = clocks.ClockOfHost();
}

bool CallOrder::IsBefore(std::size_t earlier, std::size_t later) const {
  return places_[later].clock.Covers(places_[earlier].moment);
}

std::vector<std::size_t> CallOrder::Unfinished() const {
  std::vector<std::size_t> tellers;
  for (std::size_t i = 0; i < calls_.calls.size(); ++i) {
    if (calls_.calls[i].IsOperation() && MayTellTheHost(calls_.calls[i])) tellers.push_back(i);
  }
  const auto may_be_known = [&](std::size_t operation) {
    return std::ranges::any_of(tellers, [&](std::size_t teller) {
      return teller == operation || (teller > operation && IsBefore(operation, teller));
    });
  };
  std::vector<std::size_t> unfinished;
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    for (std::size_t time = lines_[line].size(); time > finished_.At(line); --time) {
      const std::size_t operation = lines_[line][time - 1];
      if (!IsWork(calls_.calls[operation])) continue;
      if (!may_be_known(operation)) unfinished.push_back(operation);
      break;
    }
  }
  std::ranges::sort(unfinished);
  return unfinished;
}

std::vector<std::size_t> CallOrder::WaitsFor(std::size_t operation) const {
  const Place& place = places_[operation];
  std::vector<std::size_t> found;
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    if (line == place.moment.line) continue;
    const std::uint64_t time = place.clock.At(line);
    const bool known = place.previous != kNo && places_[place.previous].clock.At(line) >= time;
    if (time != 0 && !known) found.push_back(lines_[line][time - 1]);
  }
  if (place.previous != kNo) found.push_back(place.previous);
  std::vector<std::size_t> last = found;
  std::erase_if(last, [&](std::size_t earlier) {
    return std::ranges::any_of(
        found, [&](std::size_t other) { return other != earlier && IsBefore(earlier, other); });
  });
  std::ranges::sort(last);
  return last;
}

}  // namespace warpcheck::order
