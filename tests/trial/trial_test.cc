// Tests what a trial of a call gives to checks if the call did not return.
#include "trial/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <vector>

#include "trial/case_log.h"
#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::Field;

// Returns the failures with which `read` ends the case.
std::vector<CaseFailure> FailuresOf(const std::function<void()>& read) {
  CaseLog::Current().Take();
  EXPECT_THROW(read(), CaseStopped);
  return CaseLog::Current().Take();
}

// Checks may read arrays before they ask whether the call returned, or without asking.
TEST(TrialTest, EndsTheCaseOfACallThatDidNotReturnAsTheSubmissionsFailure) {
  Trial crashed = EndedTrial(remote::CallEnd::kDisconnected);
  crashed.ending.cause = sandbox::Cause::kSignaled;
  crashed.ending.signal = SIGSEGV;
  Trial stopped = ReturnedTrial();
  stopped.stopped_early = true;
  for (const Trial& trial : {crashed, stopped}) {
    for (const auto& read : std::vector<std::function<void()>>{[&] { trial.Output<float>(); },
                                                               [&] { trial.Before<float>(0); },
                                                               [&] { trial.HostOutput<int>(); }}) {
      EXPECT_THAT(FailuresOf(read), ElementsAre(Field(&CaseFailure::verdict, Verdict::kError)));
    }
  }
}

TEST(TrialTest, EndsTheCaseOfAWrongNumberAsAFaultOfTheChecks) {
  const Trial trial = ReturnedTrial();
  EXPECT_THAT(FailuresOf([&] { trial.Before<float>(7); }),
              ElementsAre(Field(&CaseFailure::verdict, Verdict::kHarnessFault)));
}

}  // namespace
}  // namespace warpcheck
