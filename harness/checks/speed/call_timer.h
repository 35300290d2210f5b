// CallTimer makes one call of the reference or of the submission and times its kernels. Only the
// checks program of a speed run has one (grading/speed_run.h); tests make their own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "trial/runner.h"
#include "trial/trial.h"

namespace warpcheck {

enum class Whose : std::uint8_t { kReference, kSubmission };

struct TimedCall {
  Trial trial;
  // The time of all kernels and copies of the call in microseconds; 0 if it was not measured.
  double us = 0;
  std::string not_timed{};   // why not; empty if it was measured, or if the call failed
  std::uint32_t sm_mhz = 0;  // the lowest clock of the multiprocessors during the call
};

class CallTimer {
 public:
  using PlanPointer = std::shared_ptr<const Plan>;

  // Only one timer may exist at a time.
  CallTimer();
  virtual ~CallTimer();
  CallTimer(const CallTimer&) = delete;
  CallTimer& operator=(const CallTimer&) = delete;

  // Returns the timer of this process; null if it does not measure speed.
  static CallTimer* Current();

  // Makes the call in a new process, with memory and data that no earlier call has seen, and with a
  // cold L2 cache. `other_data` is the same call with other data, as in Runner::CallSubmission.
  virtual TimedCall Time(Whose whose, const PlanPointer& plan, const CallLimits& limits,
                         const std::function<PlanPointer()>& other_data) = 0;
};

// Times calls on the device of two runners, which must outlive it. What a call takes is the sum of
// the times of all its launches, in whatever stream, and of the bytes that its host writes, reads,
// copies and fills, at the speed of a copy within the device.
class DeviceTimer : public CallTimer {
 public:
  DeviceTimer(Runner& reference, Runner& submission)
      : reference_(reference), submission_(submission) {}

  TimedCall Time(Whose whose, const PlanPointer& plan, const CallLimits& limits,
                 const std::function<PlanPointer()>& other_data) override;

 private:
  Runner& reference_;
  Runner& submission_;
};

}  // namespace warpcheck
