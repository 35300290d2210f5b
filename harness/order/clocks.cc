#include "order/clocks.h"

#include <algorithm>

namespace warpcheck::order {

void Clocks::AddStream(Handle stream, StreamKind kind, std::uint32_t line) {
  if (kind == StreamKind::kLegacy) {
    legacy_ = stream;
    has_legacy_ = true;
  }
  std::erase(removed_, line);
  if (line >= lines_.size()) lines_.resize(line + 1);
  lines_[line].kind = kind;
  streams_[stream] = line;
}

std::uint32_t Clocks::FreeLine(const Clock& known) const {
  const auto finished = std::ranges::find_if(
      removed_, [&](std::uint32_t line) { return known.Covers(LastOf(line)); });
  return finished == removed_.end() ? static_cast<std::uint32_t>(lines_.size()) : *finished;
}

void Clocks::RemoveStream(Handle stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  removed_.push_back(found->second);
  streams_.erase(found);
}

Clocks::Line& Clocks::Enter(std::uint32_t line) {
  Line& entered = lines_[line];
  entered.Join(host_);
  if (entered.kind == StreamKind::kLegacy) {
    for (const Line& other : lines_) {
      if (other.kind == StreamKind::kBlocking) entered.Join(other.clock);
    }
  } else if (entered.kind == StreamKind::kBlocking && has_legacy_) {
    entered.Join(lines_[streams_.at(legacy_)].clock);
  }
  return entered;
}

Moment Clocks::Run(Handle stream, bool is_kernel) {
  const std::uint32_t line = LineOf(stream);
  Line& entered = Enter(line);
  const Moment moment{.line = line, .time = ++entered.time};
  if (is_kernel) entered.begin = entered.clock;
  entered.clock.Join(moment);
  if (!is_kernel) entered.begin = entered.clock;
  entered.waited = entered.clock;
  return moment;
}

void Clocks::Begin(Handle stream, LaunchPart part, Handle stream_of_part) {
  const Clock known = Before(Enter(LineOf(stream)), part);
  lines_[LineOf(stream_of_part)].Join(known);
}

void Clocks::End(Handle stream, std::span<const Handle> parts, bool waits, bool dependents_wait) {
  Line& line = Enter(LineOf(stream));
  const Clock begin = line.begin;
  if (dependents_wait) line.begin = line.waited;
  if (!waits) line.waited = begin;
  for (const Handle part : parts) {
    const Moment moment = LastOf(LineOf(part));
    line.clock.Join(moment);
    line.waited.Join(moment);
  }
}

void Clocks::RemovePart(Handle part) {
  Line& line = lines_[LineOf(part)];
  line.clock = line.begin = line.waited = {};
  RemoveStream(part);
}

void Clocks::Record(Handle event, Handle stream) { events_[event] = Enter(LineOf(stream)).clock; }

bool Clocks::Wait(Handle stream, Handle event) {
  const auto found = events_.find(event);
  Line& line = Enter(LineOf(stream));
  if (found == events_.end()) return false;
  line.Join(found->second);
  return true;
}

bool Clocks::HostWaitsForEvent(Handle event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return false;
  host_.Join(found->second);
  return true;
}

void Clocks::HostWaitsForStream(Handle stream) { host_.Join(Enter(LineOf(stream)).clock); }

void Clocks::HostWaitsForAll() {
  for (const Line& line : lines_) host_.Join(line.clock);
}

bool Clocks::IsHostAfterEvent(Handle event) const {
  const auto found = events_.find(event);
  return found == events_.end() || host_.Includes(found->second);
}

bool Clocks::IsBeforeStream(const Moment& moment, Handle stream) const {
  return lines_[LineOf(stream)].clock.Covers(moment);
}

}  // namespace warpcheck::order
