// Clocks keep what is known to be finished at the last operation of each stream, at each event,
// and on the host: the order of streams, events and waits (docs/order.md).
//
// All threads of the host share one timeline, in the order of their calls. The emulator cannot see
// how threads wait for each other by locks and joins, so it assumes that they do.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "order/clock.h"

namespace warpcheck::order {

// A stream or an event, by a number that the caller chooses.
using Handle = std::uint64_t;

enum class StreamKind : std::uint8_t {
  kLegacy,       // the legacy default stream; there is at most one
  kBlocking,     // waits for the legacy default stream, which waits for it
  kNonBlocking,  // does neither
};

// A programmatic launch has two parts: what it does before it waits for the kernel before it, and
// what it does afterwards.
enum class LaunchPart : std::uint8_t { kBeforeWait, kAfterWait };

class Clocks {
 public:
  // Adds a stream, whose operations are those of a line that FreeLine() returned.
  void AddStream(Handle stream, StreamKind kind, std::uint32_t line);
  // Returns a new line, or that of a removed stream whose work the host knows to be finished.
  std::uint32_t FreeLine() const { return FreeLine(host_); }
  // The same for the next part of a launch in a stream.
  std::uint32_t FreeLineFor(Handle stream, LaunchPart part) {
    return FreeLine(Before(Enter(LineOf(stream)), part));
  }
  bool Knows(Handle stream) const { return streams_.contains(stream); }
  std::uint32_t LineOf(Handle stream) const { return streams_.at(stream); }
  // Returns the last operation of a line.
  Moment LastOf(std::uint32_t line) const { return {.line = line, .time = lines_[line].time}; }
  // Removes a stream. Its operations may still be running.
  void RemoveStream(Handle stream);
  void RemoveEvent(Handle event) { events_.erase(event); }

  // Adds an operation to a stream. This stream, and those below, must be known. A kernel need not
  // have ended when a programmatic launch begins that comes next.
  Moment Run(Handle stream, bool is_kernel = false);

  // The parts of a programmatic launch that comes next in a stream have streams of their own. Call
  // Begin() for each part, after AddStream() and before Run().
  void Begin(Handle stream, LaunchPart part, Handle stream_of_part);
  // Ends the launch, of which these streams are the parts. `waits` and `dependents_wait` are those
  // of LaunchUses.
  void End(Handle stream, std::span<const Handle> parts, bool waits, bool dependents_wait);
  // Removes the stream of such a part, whose work its stream knows of.
  void RemovePart(Handle part);

  void Record(Handle event, Handle stream);
  // The stream, or the host, waits for the last record of the event. Returns false, and changes
  // nothing, if it was never recorded.
  bool Wait(Handle stream, Handle event);
  bool HostWaitsForEvent(Handle event);
  // The host waits for everything in a stream, or in all streams.
  void HostWaitsForStream(Handle stream);
  void HostWaitsForAll();
  // The later work of the stream, or the host, comes after all that `clock` covers.
  void JoinStream(Handle stream, const Clock& clock) { lines_[LineOf(stream)].Join(clock); }
  void JoinHost(const Clock& clock) { host_.Join(clock); }
  // It comes after the operation at `moment`.
  void JoinStream(Handle stream, const Moment& moment) { lines_[LineOf(stream)].Join(moment); }
  void JoinHost(const Moment& moment) { host_.Join(moment); }

  // Return true if the host goes on after all that the last record of the event stands for, or
  // after all work of the stream.
  bool IsHostAfterEvent(Handle event) const;
  bool IsHostAfterStream(Handle stream) { return host_.Includes(Enter(LineOf(stream)).clock); }

  // Returns true if the operation is finished before the stream's last operation begins, or before
  // the host goes on.
  bool IsBeforeStream(const Moment& moment, Handle stream) const;
  bool IsBeforeHost(const Moment& moment) const { return host_.Covers(moment); }
  // Returns true if the operation is finished before the stream's next operation begins.
  bool IsBeforeNext(const Moment& moment, Handle stream) {
    return Enter(LineOf(stream)).clock.Covers(moment);
  }
  // What is finished before the stream's last operation ends, or before the host goes on.
  const Clock& ClockOf(Handle stream) const { return lines_[LineOf(stream)].clock; }
  const Clock& ClockOfHost() const { return host_; }

 private:
  struct Line {
    StreamKind kind = StreamKind::kBlocking;
    std::uint64_t time = 0;  // of its last operation
    Clock clock;             // what is finished when its last operation has ended
    // For a programmatic launch that comes next: what is finished when it begins, and when it has
    // waited. A kernel that does not wait itself may end before those that come before it.
    Clock begin;
    Clock waited;

    void Join(const Clock& other) {
      for (Clock* const one : {&clock, &begin, &waited}) one->Join(other);
    }
    void Join(const Moment& moment) {
      for (Clock* const one : {&clock, &begin, &waited}) one->Join(moment);
    }
  };

  static const Clock& Before(const Line& line, LaunchPart part) {
    return part == LaunchPart::kBeforeWait ? line.begin : line.waited;
  }
  std::uint32_t FreeLine(const Clock& known) const;

  // Lets the stream know what the host knows, and what its kind waits for.
  Line& Enter(std::uint32_t line);

  Clock host_;
  std::vector<Line> lines_;
  std::map<Handle, std::uint32_t> streams_;  // indices of lines_
  std::map<Handle, Clock> events_;           // those that were recorded
  std::vector<std::uint32_t> removed_;       // lines of removed streams
  Handle legacy_ = 0;
  bool has_legacy_ = false;
};

}  // namespace warpcheck::order
