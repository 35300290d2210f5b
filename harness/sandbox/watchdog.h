// Decides how long to wait for a program. It does not matter how busy the machine is: a wait ends
// only when the program itself chooses to do nothing.
//
// A program that runs is ended by its limit of processor time. A program that sleeps, or waits for
// an event that never comes, is recognised by its threads: no thread runs or is ready. If a thread
// is ready and gets no processor, the wait continues up to Limits::wall_time; then the machine is
// at fault if it was busy.
#pragma once

#include <chrono>
#include <optional>

#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// The wait since the last look at the program.
struct Waited {
  std::chrono::microseconds passed{0};
  // The part of the wait in which the program sent nothing, although the caller would have noticed.
  std::chrono::microseconds quiet{0};
};

// Makes only the decision, from what was observed.
class WaitPolicy {
 public:
  enum class Answer : std::uint8_t { kWait, kIdle, kTooBusy };

  explicit WaitPolicy(const Limits& limits) : limits_(limits) {}

  // Call this after a further wait, with the program's activity until now, or with nothing if the
  // machine was too busy even to find that out.
  Answer After(const Waited& waited, const std::optional<Activity>& now);

  // Returns the processor time at the last look.
  std::chrono::microseconds ran() const {
    return last_ ? last_->ran : std::chrono::microseconds(0);
  }
  // Returns the time in which the program chose to do nothing.
  std::chrono::microseconds idle() const { return idle_; }

 private:
  void Account(const Waited& waited, const Activity& before, const Activity& now);

  Limits limits_;
  std::optional<Activity> last_;
  std::chrono::microseconds passed_{0};
  std::chrono::microseconds idle_{0};  // the time in which the program chose to do nothing
  std::chrono::microseconds held_{
      0};  // the time in which the machine held it up: it was ready, or waited for a disk
};

// Watches the wait for one process. The caller asks repeatedly whether to continue.
class Watchdog {
 public:
  // The interval at which the caller asks; asking more often has no use.
  static constexpr std::chrono::milliseconds kInterval{250};

  Watchdog(Process& process, const Limits& limits) : process_(process), policy_(limits) {}

  // Returns false when the wait must end; cause() says why. Call this in the thread that waits.
  bool GoOn(Waited waited);
  Cause cause() const { return cause_; }
  std::chrono::microseconds ran() const { return policy_.ran(); }
  std::chrono::microseconds idle() const { return policy_.idle(); }

 private:
  Process& process_;
  WaitPolicy policy_;
  std::optional<std::chrono::microseconds> held_up_;  // Activity::queued of the thread that waits
  Cause cause_ = Cause::kStopped;
};

}  // namespace warpcheck::sandbox
