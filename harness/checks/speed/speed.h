// Judges the speed of a submission, compared with the reference's on the same GPU in the same run:
//
//   TEST_P(TransposeOfLargeMatrices, IsAsFastAsTheReference) {
//     EXPECT_THAT(TimedAgainstReference([](const Trial& trial) {
//                   ASSERT_THAT(trial, RunsCleanly());
//                   EXPECT_THAT(trial.Output<float>(), ExactlyEquals(Transposed(trial)));
//                 }),
//                 Speed(Ge(0.8)));
//   }
//
// A test of speed never judges on the emulator: there it is kNotMeasured.
#pragma once

#include <gmock/gmock.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "checks/speed/call_timer.h"
#include "checks/speed/statistics.h"
#include "trial/case_log.h"

namespace warpcheck {

// A SpeedMeasurement is a result of timing that no target has judged yet.
struct SpeedMeasurement {
  SpeedRatio ratio{};     // without target and outcome
  std::string why_not{};  // why nothing was measured; otherwise empty
  // Why a timed call of the submission is wrong; otherwise empty. Nothing was measured then.
  std::vector<CaseFailure> failures{};
};

// A SpeedTest tells MeasureSpeed() how to make the calls of a test, and how to judge them.
struct SpeedTest {
  using PlanPointer = CallTimer::PlanPointer;
  // Returns the test's call with data that are drawn for `label`.
  std::function<PlanPointer(const std::string& label)> plan;
  CallLimits limits;
  // Returns why the call is wrong; empty if it is right.
  std::function<std::vector<CaseFailure>(const Trial& trial)> judge;
};

// Times pairs of calls with the timer: reference and submission in turn, the reference first in
// pairs 0, 2, 4 and so on, the submission first in the others. A pair has data of its own. Each
// call is judged, and the first wrong call of the submission ends the run. If a call of the
// reference is wrong, ends the case with a fault of the harness.
SpeedMeasurement MeasureSpeed(CallTimer& timer, const SpeedTest& test);

// Sets the outcome of a measurement: `meets` tells whether a ratio meets the target, which is a
// bound. It is met or missed if both ends of the interval agree.
SpeedRatio Judged(const SpeedMeasurement& measurement, const std::string& target,
                  const std::function<bool(double)>& meets);

class SpeedMatcher {
 public:
  using is_gtest_matcher = void;
  explicit SpeedMatcher(testing::Matcher<double> target) : target_(std::move(target)) {}

  bool MatchAndExplain(const SpeedMeasurement& measurement,
                       testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* out) const;
  void DescribeNegationTo(std::ostream* out) const;

 private:
  testing::Matcher<double> target_;
};

// Matches if the reference's time divided by the submission's meets `target`, or if that is too
// close to tell: Speed(Ge(0.8)) allows 1.25 times the reference's time. `target` must be a bound:
// Ge() or Gt().
template <class M>
SpeedMatcher Speed(const M& target) {
  return SpeedMatcher(testing::SafeMatcherCast<double>(target));
}

}  // namespace warpcheck
