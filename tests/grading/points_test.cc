#include "grading/points.h"

#include <gtest/gtest.h>

#include <limits>

namespace warpcheck {
namespace {

std::string Text(double number) {
  const auto points = Points::FromNumber(number);
  return points ? points->Text() : "none";
}

TEST(Points, AreExactHundredths) {
  EXPECT_EQ(Text(0), "0");
  EXPECT_EQ(Text(40), "40");
  EXPECT_EQ(Text(12.5), "12.5");
  EXPECT_EQ(Text(0.25), "0.25");
  EXPECT_EQ(Text(100.01), "100.01");
  EXPECT_EQ(Text(1e6), "1000000");
}

TEST(Points, HaveTheirNoun) {
  EXPECT_EQ(Counted(Points()), "0 points");
  EXPECT_EQ(Counted(Points::FromHundredths(100)), "1 point");
  EXPECT_EQ(Counted(Points::FromHundredths(150)), "1.5 points");
}

TEST(Points, RefuseWhatIsNone) {
  EXPECT_EQ(Text(-0.01), "none");
  EXPECT_EQ(Text(0.125), "none");
  EXPECT_EQ(Text(1e6 + 1), "none");
  EXPECT_EQ(Text(std::numeric_limits<double>::quiet_NaN()), "none");
  EXPECT_EQ(Text(std::numeric_limits<double>::infinity()), "none");
}

TEST(Points, SharesAreRoundedDown) {
  EXPECT_EQ(Points::FromNumber(10)->Share(2, 3).Text(), "6.66");
  EXPECT_EQ(Points::FromNumber(10)->Share(3, 3).Text(), "10");
  EXPECT_EQ(Points::FromNumber(10)->Share(0, 3).Text(), "0");
}

}  // namespace
}  // namespace warpcheck
