// Measures speed with a timer whose times the tests write.
#include "checks/speed/speed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using Outcome = SpeedRatio::Outcome;

class ScriptedTimer : public CallTimer {
 public:
  TimedCall Time(Whose whose, const PlanPointer& plan, const CallLimits&,
                 const std::function<PlanPointer()>&) override {
    turns += whose == Whose::kReference ? 'R' : 'S';
    plans.push_back(plan);
    TimedCall call{.trial = ReturnedTrial()};
    call.trial.plan = plan;
    call.us = whose == Whose::kReference ? 100 : us(turns.size());
    call.sm_mhz = whose == Whose::kReference ? reference_mhz(turns.size()) : 1980;
    call.not_timed = whose == Whose::kSubmission ? not_timed : "";
    call.trial.function = whose == Whose::kReference ? "reference" : "submission";
    return call;
  }

  std::string turns;
  std::vector<PlanPointer> plans;
  std::function<double(std::size_t call)> us = [](std::size_t) { return 100.0; };
  std::function<std::uint32_t(std::size_t call)> reference_mhz = [](std::size_t) { return 1980U; };
  std::string not_timed;
};

class SpeedOfCalls : public testing::Test {
 protected:
  SpeedMeasurement Measured() {
    return MeasureSpeed(timer_, {.plan =
                                     [this](const std::string& label) {
                                       labels_.insert(label);
                                       return std::make_shared<const Plan>();
                                     },
                                 .limits = {},
                                 .judge = judge_});
  }
  static Outcome OutcomeOf(const SpeedMeasurement& measurement, double target) {
    return Judged(measurement, "", [=](double ratio) { return ratio >= target; }).outcome;
  }

  ScriptedTimer timer_;
  std::set<std::string> labels_;
  std::function<std::vector<CaseFailure>(const Trial&)> judge_ = [](const Trial&) {
    return std::vector<CaseFailure>();
  };
};

TEST_F(SpeedOfCalls, TakeTurns) {
  (void)Measured();
  EXPECT_EQ(timer_.turns.substr(0, 8), "RSSRRSSR");
  EXPECT_EQ(timer_.turns.size(), 2 * (1 + kFewestPairs));  // one pair warms up
}

TEST_F(SpeedOfCalls, HaveFreshDataInEachPair) {
  (void)Measured();
  EXPECT_EQ(labels_.size(), 1 + kFewestPairs);
  const std::set<CallTimer::PlanPointer> different(timer_.plans.begin(), timer_.plans.end());
  EXPECT_EQ(different.size(), 1 + kFewestPairs);
  for (std::size_t i = 0; i < timer_.plans.size(); i += 2) {
    EXPECT_EQ(timer_.plans[i], timer_.plans[i + 1]) << "both calls of a pair have the same data";
  }
}

TEST_F(SpeedOfCalls, MeetMissOrAreTooCloseToATarget) {
  timer_.us = [](std::size_t) { return 125.0; };
  const SpeedMeasurement measurement = Measured();
  EXPECT_DOUBLE_EQ(measurement.ratio.ratio, 0.8);
  EXPECT_EQ(OutcomeOf(measurement, 0.75), Outcome::kMet);
  EXPECT_EQ(OutcomeOf(measurement, 0.78), Outcome::kTooClose);
  EXPECT_EQ(OutcomeOf(measurement, 0.8), Outcome::kTooClose);
  EXPECT_EQ(OutcomeOf(measurement, 0.82), Outcome::kTooClose);
  EXPECT_EQ(OutcomeOf(measurement, 0.85), Outcome::kMissed);
}

// Ratios of ten runs whose noise differs: the same outcome, and ratios within 3 %.
TEST_F(SpeedOfCalls, GiveTheSameOutcomeInTenRuns) {
  std::set<double> ratios;
  for (std::size_t run = 0; run < 10; ++run) {
    timer_.turns.clear();
    timer_.us = [=](std::size_t call) {
      const std::size_t noise = (call * 2'654'435'761U + run * 40'503U) % 1'000;
      return 140.0 + 0.005 * static_cast<double>(noise);
    };
    const SpeedMeasurement measurement = Measured();
    ratios.insert(measurement.ratio.ratio);
    EXPECT_EQ(OutcomeOf(measurement, 0.8), Outcome::kMissed);
    EXPECT_EQ(OutcomeOf(measurement, 0.6), Outcome::kMet);
  }
  EXPECT_LE(*ratios.rbegin() / *ratios.begin(), 1.03);
}

TEST_F(SpeedOfCalls, AreRepeatedWhileTheyVary) {
  timer_.us = [](std::size_t call) { return call % 2 == 0 ? 97.0 : 103.0; };
  const SpeedMeasurement measurement = Measured();
  EXPECT_EQ(measurement.ratio.pairs, kMostPairs);
  EXPECT_EQ(measurement.why_not, "");
}

TEST_F(SpeedOfCalls, SayNothingOnABusyGpu) {
  timer_.us = [](std::size_t call) { return call % 2 == 0 ? 60.0 : 140.0; };
  const SpeedMeasurement measurement = Measured();
  EXPECT_THAT(measurement.why_not, HasSubstr("the times differ too much"));
  EXPECT_EQ(OutcomeOf(measurement, 0.1), Outcome::kNotMeasured);
}

TEST_F(SpeedOfCalls, LeaveOutLoweredClocks) {
  timer_.reference_mhz = [](std::size_t call) { return call < 20 ? 1200U : 1980U; };
  const SpeedMeasurement measurement = Measured();
  EXPECT_EQ(measurement.why_not, "");
  EXPECT_EQ(measurement.ratio.pairs, kFewestPairs);
  EXPECT_GE(measurement.ratio.dropped, 8U);
}

TEST_F(SpeedOfCalls, SayNothingIfTheReferenceAlwaysHasALowerClock) {
  timer_.reference_mhz = [](std::size_t) { return 1700U; };
  EXPECT_THAT(Measured().why_not, HasSubstr("0 of 40 pairs of calls can be compared"));
}

TEST_F(SpeedOfCalls, AreJudgedEachTime) {
  int judged = 0;
  judge_ = [&](const Trial& trial) {
    std::vector<CaseFailure> failures;
    if (trial.function == "submission" && ++judged == 5) {
      failures.push_back(FailureOf(Verdict::kFailed, "element 7 is wrong"));
    }
    return failures;
  };
  const SpeedMeasurement measurement = Measured();
  EXPECT_EQ(judged, 5);
  EXPECT_EQ(OutcomeOf(measurement, 0.1), Outcome::kWrong);
  EXPECT_THAT(FailuresOf(measurement, Speed(Ge(0.1))),
              ElementsAre(FailureOf(Verdict::kFailed, "in a timed call: element 7 is wrong")));
  EXPECT_EQ(CaseLog::Current().TakeSpeed()->outcome, Outcome::kWrong);
}

TEST_F(SpeedOfCalls, BlameTheHarnessForAWrongReference) {
  judge_ = [&](const Trial& trial) {
    std::vector<CaseFailure> failures;
    if (trial.function == "reference") failures.push_back(FailureOf(Verdict::kFailed, "wrong"));
    return failures;
  };
  EXPECT_THROW((void)Measured(), CaseStopped);
  EXPECT_THAT(CaseLog::Current().Take(),
              ElementsAre(MakeFailure(ComplaintKind::kChecksFault, Verdict::kHarnessFault,
                                      "the reference fails when it is timed: wrong",
                                      "this is a mistake of the assignment")));
}

TEST_F(SpeedOfCalls, SayWhyTheyHaveNoTimes) {
  timer_.not_timed = "CUPTI is missing";
  EXPECT_THAT(
      FailuresOf(Measured(), Speed(Ge(0.8))),
      ElementsAre(FailureOf(Verdict::kNotMeasured, "speed: not measured. CUPTI is missing")));
  timer_.not_timed = "";
  timer_.us = [](std::size_t) { return 0.0; };
  EXPECT_EQ(Measured().why_not, "the call launches no kernel");
}

TEST_F(SpeedOfCalls, AreExplained) {
  timer_.us = [](std::size_t) { return 200.0; };
  const std::vector<CaseFailure> failures = FailuresOf(Measured(), Speed(Ge(0.8)));
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].verdict, Verdict::kFailed);
  EXPECT_EQ(failures[0].complaint.message,
            "speed: 0.50 of the reference's speed (0.49 to 0.52 in 12 pairs of calls; 200 us, and "
            "the reference takes 100 us); it should be >= 0.8");
  const auto speed = CaseLog::Current().TakeSpeed();
  ASSERT_TRUE(speed.has_value());
  EXPECT_EQ(speed->target, ">= 0.8");
  EXPECT_THAT(FailuresOf(Measured(), Speed(Ge(0.5))), IsEmpty());
  EXPECT_EQ(CaseLog::Current().TakeSpeed()->outcome, Outcome::kTooClose);
}

}  // namespace
}  // namespace warpcheck
