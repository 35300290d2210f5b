#include "checks/checks.h"

#include "scale.h"

namespace {

using testing::Ge;
using testing::Values;
using warpcheck::CaseNames;
using warpcheck::ExactlyEquals;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Plan;
using warpcheck::RunsCleanly;
using warpcheck::Speed;
using warpcheck::Trial;

struct Count {
  int numbers;
};

void PrintTo(const Count& count, std::ostream* out) { *out << count.numbers; }

class Scale : public warpcheck::AssignmentOver<Count> {
 protected:
  Plan Perform() override {
    const int count = GetParam().numbers;
    return MakePlan<&scale>(Upload(RandomFloats(count)), Unwritten<float>(count), count);
  }

  static void Judge(const Trial& trial) {
    ASSERT_THAT(trial, RunsCleanly());
    ASSERT_THAT(trial, LaunchesAKernel());
    warpcheck::Values<float> expected = trial.Before<float>(0);
    for (float& number : expected.data) number *= 2;
    EXPECT_THAT(trial.Output<float>(), ExactlyEquals(expected));
  }
};

TEST_P(Scale, Scales) { Judge(CallOnce()); }

INSTANTIATE_TEST_SUITE_P(Small, Scale, Values(Count{1}, Count{1'000}, Count{4'097}), CaseNames());

// On a real GPU the arrays would have tens of megabytes.
class ScaleOfLargeArrays : public Scale {};

TEST_P(ScaleOfLargeArrays, IsAtLeastHalfAsFast) {
  EXPECT_THAT(TimedAgainstReference(&Judge), Speed(Ge(0.5)));
}

TEST_P(ScaleOfLargeArrays, IsAsFast) { EXPECT_THAT(TimedAgainstReference(&Judge), Speed(Ge(1.0))); }

INSTANTIATE_TEST_SUITE_P(Large, ScaleOfLargeArrays, Values(Count{100'000}), CaseNames());

}  // namespace
