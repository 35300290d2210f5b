// Pace limits how often an action is repeated.
#pragma once

#include <algorithm>
#include <chrono>

namespace warpcheck::batch {

// The action is due again after `least`, or later if it takes long, so that it uses at most a
// twentieth of the time. If `least` is 0, it is always due.
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
