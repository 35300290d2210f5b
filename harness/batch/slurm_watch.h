// The end of a Slurm task as its queue tells it, and whose fault it is.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

namespace warpcheck::batch {

enum class TaskPhase {
  kWaits,  // it has not begun, or begins again
  kRuns,   // or ends just now
  kEnded,
};
TaskPhase PhaseOf(std::string_view state);

// True where the task may have been ended by what it was doing: it failed, or used up its time or
// memory. Others were ended by somebody, or by their node.
bool MayBlameTask(std::string_view state);

// True where a task waits for a person, not for its turn.
bool WaitsForSomebody(std::string_view reason);

// How often something is done: seldom enough that at most a twentieth of the time goes into it;
// without a pause where `least` is 0.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Pace(std::chrono::milliseconds least) : least_(least) {}

  bool IsDue() const { return Clock::now() >= next_; }
  void Began() { began_ = Clock::now(); }
  void Ended() {
    const Clock::time_point now = Clock::now();
    next_ = now;
    if (least_.count() > 0) next_ += std::max<Clock::duration>(least_, 20 * (now - began_));
  }

 private:
  std::chrono::milliseconds least_;
  Clock::time_point began_;
  Clock::time_point next_;
};

}  // namespace warpcheck::batch
