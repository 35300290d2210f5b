// Tests how long the judge waits for a program, as a function of what was observed; no clock or
// process is involved.
#include "sandbox/watchdog.h"

#include <gtest/gtest.h>

#include <functional>

namespace warpcheck::sandbox {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Answer = WaitPolicy::Answer;

constexpr milliseconds kLook = Watchdog::kInterval;

Limits TenSeconds() {
  Limits limits;
  limits.idle_time = seconds(10);
  limits.wall_time = seconds(1200);
  return limits;
}

// The activity of a program from one look to the next, every quarter of a second.
struct Habit {
  milliseconds ran{0};
  milliseconds queued{0};
  bool awake = false;
  milliseconds quiet = kLook;  // the part of the wait in which the program sent nothing
};

struct Verdict {
  Answer answer;
  std::chrono::duration<double> after;  // the time after which the wait ends
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

Verdict VerdictOn(const std::function<Habit(int look)>& habit) {
  WaitPolicy patience(TenSeconds());
  Activity activity{.awake = false};
  for (int look = 0;; ++look) {
    const Habit did = habit(look);
    activity.ran += did.ran;
    activity.queued += did.queued;
    activity.awake = did.awake;
    const Answer answer = patience.After({.passed = kLook, .quiet = did.quiet}, activity);
    if (answer != Answer::kWait) return {answer, (look + 1) * kLook};
  }
}

Verdict VerdictOnAll(Habit habit) {
  return VerdictOn([&](int) { return habit; });
}

TEST(WaitPolicy, EndsWithWhoeverSleeps) {
  EXPECT_EQ(VerdictOnAll({}), (Verdict{Answer::kIdle, milliseconds(10'250)}));
}

TEST(WaitPolicy, EndsWithWhoeverPolls) {
  EXPECT_EQ(VerdictOnAll({.ran = milliseconds(50)}).answer, Answer::kIdle);
  EXPECT_LT(VerdictOnAll({.ran = milliseconds(50)}).after, seconds(14));
}

TEST(WaitPolicy, WaitsForWhoeverTheMachineDoesNotLetRun) {
  EXPECT_EQ(VerdictOnAll({.ran = milliseconds(10), .queued = milliseconds(240), .awake = true}),
            (Verdict{Answer::kTooBusy, seconds(1200)}));
  EXPECT_EQ(VerdictOnAll({.ran = milliseconds(10), .queued = milliseconds(200)}),
            (Verdict{Answer::kTooBusy, seconds(1200)}));
}

TEST(WaitPolicy, WaitsForADisk) {
  EXPECT_EQ(VerdictOnAll({.awake = true}), (Verdict{Answer::kTooBusy, seconds(1200)}));
}

TEST(WaitPolicy, LeavesWhoeverRunsToTheLimitOfProcessorTime) {
  EXPECT_EQ(VerdictOnAll({.ran = kLook, .awake = true}).after, seconds(1200));
}

// The machine is not at fault if it let the program run.
TEST(WaitPolicy, BlamesTheMachineOnlyWhereItWasBusy) {
  EXPECT_EQ(VerdictOnAll({.ran = milliseconds(130), .awake = true}).answer, Answer::kIdle);
  EXPECT_EQ(VerdictOnAll({.ran = milliseconds(1), .quiet = milliseconds(0)}).answer,
            Answer::kTooBusy);
}

TEST(WaitPolicy, AddsUpWhatWasIdle) {
  const Verdict verdict = VerdictOn(
      [](int look) { return look % 2 == 0 ? Habit{} : Habit{.ran = kLook, .awake = true}; });
  EXPECT_EQ(verdict.answer, Answer::kIdle);
  EXPECT_EQ(verdict.after, milliseconds(20'250));
}

// A program that sleeps gets the same verdict, however busy the machine was before.
TEST(WaitPolicy, ComesToTheSameVerdictLater) {
  const Verdict verdict = VerdictOn(
      [](int look) { return look < 1000 ? Habit{.queued = kLook, .awake = true} : Habit{}; });
  EXPECT_EQ(verdict, (Verdict{Answer::kIdle, milliseconds(1000 * 250 + 10'000)}));
}

TEST(WaitPolicy, AMachineThatSleptCountsForLittle) {
  WaitPolicy patience(TenSeconds());
  const Activity asleep{.awake = false};
  EXPECT_EQ(patience.After({.passed = kLook, .quiet = kLook}, asleep), Answer::kWait);
  EXPECT_EQ(patience.After({.passed = seconds(600), .quiet = seconds(600)}, asleep), Answer::kWait);
}

TEST(WaitPolicy, NothingSeenIsNothingKnown) {
  WaitPolicy patience(TenSeconds());
  for (int look = 1; look < 4800; ++look) {
    ASSERT_EQ(patience.After({.passed = kLook, .quiet = kLook}, {}), Answer::kWait);
  }
  EXPECT_EQ(patience.After({.passed = kLook, .quiet = kLook}, {}), Answer::kTooBusy);
}

TEST(WaitPolicy, ThreadsThatEndTakeTheirTimeAlong) {
  WaitPolicy patience(TenSeconds());
  Activity activity{.queued = seconds(100), .awake = false};
  Answer answer = Answer::kWait;
  for (int look = 0; look < 42 && answer == Answer::kWait; ++look) {
    answer = patience.After({.passed = kLook, .quiet = kLook}, activity);
    activity.queued = seconds(0);
  }
  EXPECT_EQ(answer, Answer::kIdle);
}

}  // namespace
}  // namespace warpcheck::sandbox
