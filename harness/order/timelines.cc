#include "order/timelines.h"

#include <algorithm>

namespace warpcheck::order {

void Timelines::AddStream(Handle stream, StreamKind kind, std::uint32_t line) {
  if (kind == StreamKind::kLegacy) {
    legacy_ = stream;
    has_legacy_ = true;
  }
  std::erase(removed_, line);
  if (line >= lines_.size()) lines_.resize(line + 1);
  lines_[line].kind = kind;
  streams_[stream] = line;
}

std::uint32_t Timelines::FreeLine() const {
  const auto finished = std::ranges::find_if(removed_, [&](std::uint32_t line) {
    return host_.Covers({.line = line, .time = lines_[line].clock.At(line)});
  });
  return finished == removed_.end() ? static_cast<std::uint32_t>(lines_.size()) : *finished;
}

void Timelines::RemoveStream(Handle stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  removed_.push_back(found->second);
  streams_.erase(found);
}

Timelines::Line& Timelines::Enter(std::uint32_t line) {
  Line& entered = lines_[line];
  entered.clock.Join(host_);
  if (entered.kind == StreamKind::kLegacy) {
    for (const Line& other : lines_) {
      if (other.kind == StreamKind::kBlocking) entered.clock.Join(other.clock);
    }
  } else if (entered.kind == StreamKind::kBlocking && has_legacy_) {
    entered.clock.Join(lines_[streams_.at(legacy_)].clock);
  }
  return entered;
}

Moment Timelines::Run(Handle stream) {
  const std::uint32_t line = LineOf(stream);
  return Enter(line).clock.Tick(line);
}

void Timelines::Record(Handle event, Handle stream) {
  events_[event] = Enter(LineOf(stream)).clock;
}

bool Timelines::Wait(Handle stream, Handle event) {
  const auto found = events_.find(event);
  Line& line = Enter(LineOf(stream));
  if (found == events_.end()) return false;
  line.clock.Join(found->second);
  return true;
}

bool Timelines::HostWaitsForEvent(Handle event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return false;
  host_.Join(found->second);
  return true;
}

void Timelines::HostWaitsForStream(Handle stream) { host_.Join(Enter(LineOf(stream)).clock); }

void Timelines::HostWaitsForAll() {
  for (const Line& line : lines_) host_.Join(line.clock);
}

bool Timelines::IsHostAfterEvent(Handle event) const {
  const auto found = events_.find(event);
  return found == events_.end() || host_.Includes(found->second);
}

bool Timelines::IsBeforeStream(const Moment& moment, Handle stream) const {
  return lines_[LineOf(stream)].clock.Covers(moment);
}

}  // namespace warpcheck::order
