// For how long a program is waited for. How busy the machine is decides nothing: what a program
// does is limited by what it does, and a wait ends only where it does nothing of its own will.
//
// Processor time has a limit of its own, so that a program that runs ends by that. One that sleeps,
// or waits for what never comes, is known by its threads: none of them runs or could run. One that
// could run and is not let to is waited for, up to a guard against waiting for ever, which is the
// machine's fault where it was busy.
#pragma once

#include <chrono>
#include <optional>

#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// How long it was waited for since the last look.
struct Waited {
  std::chrono::microseconds passed{0};
  // Of that, the time in which nothing came from it, while whoever waits would have noticed.
  std::chrono::microseconds quiet{0};
};

// The decision alone, a function of what was seen.
class Patience {
 public:
  enum class Answer : std::uint8_t { kWait, kIdle, kTooBusy };

  explicit Patience(const Limits& limits) : limits_(limits) {}

  // After a further wait, with what the program has done until now; nothing where the machine did
  // not even let that be found out.
  Answer After(const Waited& waited, const std::optional<Activity>& now);

  // As it was last seen.
  std::chrono::microseconds ran() const {
    return last_ ? last_->ran : std::chrono::microseconds(0);
  }
  // Of its own will, until now.
  std::chrono::microseconds idle() const { return idle_; }

 private:
  void Account(const Waited& waited, const Activity& before, const Activity& now);

  Limits limits_;
  std::optional<Activity> last_;
  std::chrono::microseconds passed_{0};
  std::chrono::microseconds idle_{0};  // of its own will
  std::chrono::microseconds held_{0};  // by the machine: it could have run, or waited for a disk
};

// Waits for one process by this rule: whoever waits asks now and then whether to go on.
class Attendant {
 public:
  // How often to ask; more often is of no use.
  static constexpr std::chrono::milliseconds kInterval{250};

  Attendant(Process& process, const Limits& limits) : process_(process), patience_(limits) {}

  // False where waiting has come to its end: cause() says why. In the thread that waits.
  bool GoOn(Waited waited);
  Cause cause() const { return cause_; }
  std::chrono::microseconds ran() const { return patience_.ran(); }
  std::chrono::microseconds idle() const { return patience_.idle(); }

 private:
  Process& process_;
  Patience patience_;
  std::optional<std::chrono::microseconds> held_up_;  // this thread, as Activity::queued
  Cause cause_ = Cause::kStopped;
};

}  // namespace warpcheck::sandbox
