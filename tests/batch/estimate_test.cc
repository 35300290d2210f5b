#include "batch/work/estimate.h"

#include <gtest/gtest.h>

#include "batch/work/progress_files.h"

namespace warpcheck::batch {
namespace {

TEST(Estimate, SaysNothingBeforeItKnows) {
  Estimate estimate;
  for (int i = 0; i < 4; ++i) estimate.Add(2);
  EXPECT_FALSE(estimate.Left(10));
  estimate.Add(2);
  ASSERT_TRUE(estimate.Left(10));
  EXPECT_DOUBLE_EQ(estimate.Left(10)->least, 20);
  EXPECT_DOUBLE_EQ(estimate.Left(10)->most, 20);
}

TEST(Estimate, IsAsWideAsWhatItMeasured) {
  Estimate even;
  Estimate uneven;
  for (int i = 0; i < 10; ++i) {
    even.Add(2);
    uneven.Add(i % 2 == 0 ? 1 : 3);
  }
  const auto range = *uneven.Left(100);
  EXPECT_LT(range.least, even.Left(100)->least);
  EXPECT_GT(range.most, even.Left(100)->most);
  EXPECT_NEAR((range.least + range.most) / 2, 200, 1e-9);
  // The standard deviation is 1.054, and sqrt(100 + 10000 / 10) is 33.2.
  EXPECT_NEAR(range.most - range.least, 2 * 1.645 * 1.0541 * 33.166, 0.1);
}

TEST(Estimate, KnowsTheRate) {
  Estimate estimate;
  for (int i = 0; i < 4; ++i) estimate.Add(i % 2 == 0 ? 1 : 3);
  EXPECT_FALSE(estimate.PerMinute());
  estimate.Add(2);
  EXPECT_DOUBLE_EQ(*estimate.PerMinute(), 30);
  EXPECT_EQ(RateText(30), "30 a minute");
  EXPECT_EQ(RateText(2.44), "2.4 a minute");
}

TEST(Estimate, ReadsAsATime) {
  EXPECT_EQ(RangeText({.least = 12.2, .most = 80}), "13 s to 80 s");
  EXPECT_EQ(RangeText({.least = 170, .most = 190}), "about 3 min");
  EXPECT_EQ(RangeText({.least = 30, .most = 4 * 3600}), "30 s to 4.0 h");
}

TEST(ProgressText, ShowsWhatIsKnown) {
  Estimate estimate;
  Progress progress;
  progress.total = 300;
  progress.done = 100;
  progress.to_grade = 200;
  progress.running = 2;
  EXPECT_EQ(ProgressText(progress, estimate),
            "[######..............] 100 of 300 graded, 2 running");
  for (int i = 0; i < 5; ++i) estimate.Add(0.9);
  EXPECT_EQ(ProgressText(progress, estimate),
            "[######..............] 100 of 300 graded, 2 running, 67 a minute, about 3 min left");
  progress.not_final = 3;
  progress.held_up = 1;
  EXPECT_EQ(
      ProgressText(progress, estimate),
      "[######..............] 100 of 300 graded, 3 without a final score, 1 left for the next run, "
      "2 running, 67 a minute, about 3 min left");
}

}  // namespace
}  // namespace warpcheck::batch
