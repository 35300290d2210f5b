#include "class_pages/score_histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "grading/points.h"
#include "report/html/page_template.h"

namespace warpcheck {
namespace {

TEST(ScoreBins, AreTenthsAndFullMarks) {
  const auto bin = [](std::int64_t score) {
    return ScoreBin(Points::FromHundredths(score), Points::FromHundredths(5000));
  };
  EXPECT_EQ(bin(0), 0U);
  EXPECT_EQ(bin(499), 0U);
  EXPECT_EQ(bin(500), 1U);
  EXPECT_EQ(bin(4999), 9U);
  EXPECT_EQ(bin(5000), 10U);
  EXPECT_EQ(bin(6000), 10U) << "a person may give more";
}

TEST(ScoreBins, AreSaidInWordsToo) {
  ScoreBins bins{};
  bins[4] = 1;
  bins[10] = 12;
  EXPECT_THAT(
      Rendered("histogram", HistogramModel(bins)),
      testing::HasSubstr("aria-label=\"Students by score. 40 to 49 %: 1; all points: 12\""));
}

}  // namespace
}  // namespace warpcheck
