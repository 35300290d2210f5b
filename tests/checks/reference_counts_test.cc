#include "results/reference_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/counter_matchers.h"
#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

TEST(ReferenceCounts, KeepTheLargestCountOfACall) {
  ReferenceCounts counts;
  counts.Add("saxpy() 1000", "thread_instructions", 700);
  counts.Add("saxpy() 1000", "thread_instructions", 500);
  counts.Add("saxpy() 7", "thread_instructions", 70);
  EXPECT_EQ(counts.Of("saxpy() 1000", "thread_instructions"), 700U);
  EXPECT_EQ(counts.Of("saxpy() 1000", "global_sectors"), std::nullopt);
  const auto again = ReferenceCounts::Parse(counts.Text());
  ASSERT_TRUE(again) << again.error().Text();
  EXPECT_EQ(*again, counts);
}

TEST(ReferenceCounts, RefuseATextThatIsNotTheirs) {
  for (const char* text : {"", "[]", "{\"f() 1\": 5}", "{\"f() 1\": {\"global_sectors\": -1}}"}) {
    EXPECT_FALSE(ReferenceCounts::Parse(text)) << text;
  }
}

// Returns a trial of saxpy() on 1000 elements that executes so many instructions in line 5.
Trial SaxpyTrial(std::uint64_t instructions) {
  Trial trial = ReturnedTrial();
  trial.function = "saxpy()";
  Plan plan;
  plan.parameter_name = "1000";
  trial.plan = std::make_shared<const Plan>(plan);
  LaunchRecord launch = LaunchOf("kernel");
  launch.counters.Set(Counter::kThreadInstructions, instructions);
  launch.lines = {{.where = {"saxpy.cu", 5, 0}, .counters = launch.counters}};
  launch.arrays.emplace();
  trial.launches = {launch};
  return trial;
}

class RelativeToTheReference : public testing::Test {
 protected:
  RelativeToTheReference() {
    ReferenceCounts::Current() = {};
    ReferenceCounts::Current().Add("saxpy() 1000", "thread_instructions", 96'000);
  }
  ~RelativeToTheReference() override { ReferenceCounts::Current() = {}; }
};

TEST_F(RelativeToTheReference, IsARatioOfTheSameCall) {
  const auto most = RelativeToReference(Counter::kThreadInstructions, Le(1.5));
  EXPECT_THAT(FailuresOf(SaxpyTrial(144'000), most), IsEmpty());
  const auto failures = FailuresOf(SaxpyTrial(192'000), most);
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].verdict, Verdict::kFailed);
  EXPECT_EQ(failures[0].complaint.where.line, 5);
  EXPECT_EQ(failures[0].complaint.message,
            "192,000 instructions executed, counted for each active lane (counter "
            "thread_instructions)\n  the whole call: 192,000 instructions executed, counted for "
            "each active lane, 2.0 times the 96,000 of the reference; the target: is <= 1.5");
}

TEST_F(RelativeToTheReference, TellsWhatWasCompared) {
  CaseLog::Current().TakeComparisons();
  (void)FailuresOf(SaxpyTrial(144'000), RelativeToReference(Counter::kThreadInstructions, Le(2)));
  const CaseResult::Comparison comparison{.call = "saxpy() 1000",
                                          .counter = "thread_instructions",
                                          .count = 144'000,
                                          .reference = 96'000};
  EXPECT_THAT(CaseLog::Current().TakeComparisons(), ElementsAre(comparison));
}

TEST_F(RelativeToTheReference, NeedsACountOfTheReference) {
  const auto failures =
      FailuresOf(SaxpyTrial(1), RelativeToReference(Counter::kGlobalSectors, Le(1.5)));
  EXPECT_THAT(failures, ElementsAre(Field(&CaseFailure::verdict, Verdict::kHarnessFault)));
}

TEST_F(RelativeToTheReference, IsNotMeasuredOnAGpu) {
  Trial trial = SaxpyTrial(1);
  trial.launches[0].arrays.reset();
  const auto failures = FailuresOf(trial, RelativeToReference(Counter::kThreadInstructions, Le(2)));
  EXPECT_THAT(failures, ElementsAre(Field(&CaseFailure::verdict, Verdict::kNotMeasured)));
}

}  // namespace
}  // namespace warpcheck
