// A Clock is a vector clock: for each line of work, how far that line is known to have come. Lines
// are the host and the streams; they count their operations from 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpcheck::order {

// An operation's place in its line.
struct Moment {
  std::uint32_t line = 0;
  std::uint64_t time = 0;

  friend bool operator==(const Moment&, const Moment&) = default;
};

class Clock {
 public:
  std::uint64_t At(std::uint32_t line) const { return line < times_.size() ? times_[line] : 0; }
  // Returns true if the operation at `moment` is finished at this clock.
  bool Covers(const Moment& moment) const { return At(moment.line) >= moment.time; }
  // Returns true if all that `other` knows to be finished is so at this clock.
  bool Includes(const Clock& other) const;
  // Afterwards the clock covers `moment`, or all that `other` covers.
  void Join(const Moment& moment);
  void Join(const Clock& other);

 private:
  std::vector<std::uint64_t> times_;  // by line; lines beyond the end are at 0
};

}  // namespace warpcheck::order
