#include "checks/speed/call_timer.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"

namespace warpcheck {
namespace {

CallTimer*& TheTimer() {
  static CallTimer* timer = nullptr;
  return timer;
}

// Calls of large shapes are made many times, and their number is fixed. So each call has a budget
// of its own.
CallLimits LimitsOfTimedCalls(CallLimits limits) {
  const auto calls = static_cast<std::int64_t>(1'000);
  limits.submission.instructions *= calls;
  limits.submission.requests *= calls;
  limits.submission.bytes *= calls;
  limits.submission.host_time *= calls;
  return limits;
}

std::string WhyNotTimed(const KernelTimes& times) {
  if (times.untimed == 0) return {};
  if (!times.why_untimed.empty()) return times.why_untimed;
  return fmt::format("{} launches have no time", times.untimed);
}

}  // namespace

CallTimer::CallTimer() {
  WARPCHECK_CHECK(TheTimer() == nullptr, "there are two timers");
  TheTimer() = this;
}

CallTimer::~CallTimer() { TheTimer() = nullptr; }

CallTimer* CallTimer::Current() { return TheTimer(); }

TimedCall DeviceTimer::Time(Whose whose, const PlanPointer& plan, const CallLimits& limits,
                            const std::function<PlanPointer()>& other_data) {
  Runner& runner = whose == Whose::kReference ? reference_ : submission_;
  std::vector<Trial> trials = runner.CallSubmission({plan}, LimitsOfTimedCalls(limits),
                                                    [&] { return Runner::Plans{other_data()}; });
  TimedCall call{.trial = std::move(trials.front())};
  const KernelTimes& times = call.trial.times;
  call.not_timed = WhyNotTimed(times);
  call.sm_mhz = times.lowest_sm_mhz;
  if (!call.not_timed.empty() || !call.trial.returned()) return call;
  call.us = times.us;
  if (times.copy_bytes_per_second > 0) {
    // Each byte counts as read and written.
    call.us += 2 * static_cast<double>(call.trial.moved) / times.copy_bytes_per_second * 1e6;
  }
  return call;
}

}  // namespace warpcheck
