#include "similarity/index_value.h"

#include <gtest/gtest.h>

namespace warpcheck::similarity {
namespace {

const IndexValue kX = IndexValue::Of("$tid.x");
const IndexValue kY = IndexValue::Of("$tid.y");
const IndexValue kRows = IndexValue::Of("$P#1");
const IndexValue kCols = IndexValue::Of("$P#2");
const IndexValue kRound = IndexValue::Of(IndexValue::kRound);

IndexValue Of(int number) { return IndexValue::Of(std::int64_t{number}); }

TEST(IndexValue, IsTheSameHoweverItWasWorkedOut) {
  EXPECT_EQ((kY + Of(8)) * kCols + kX, kX + kY * kCols + kCols * Of(8));
  EXPECT_EQ(kX - kX, IndexValue());
  EXPECT_EQ((kX * Of(4)).Divided(Of(4)), kX);
  EXPECT_NE(kX * kCols, kY * kCols);
}

TEST(IndexValue, KnowsParametersByTheirUse) {
  EXPECT_EQ((kX * kCols).Text(), (kX * kRows).Text());
  EXPECT_NE(kX * kCols, kX * kRows);
  EXPECT_NE((kX * kCols + kY * kRows).Text(), (kX + kY * kRows).Text());
}

TEST(IndexValue, HasAShapeWithoutNumbers) {
  EXPECT_EQ((kX + kCols * Of(8)).Shape(), (kX + kCols * Of(16) + Of(3)).Shape());
  EXPECT_EQ((kX + kCols * kRound).Shape(), (kX + kCols * Of(16)).Shape());
  EXPECT_NE((kX + kCols * Of(8)).Text(), (kX + kCols * Of(16)).Text());
  EXPECT_EQ((kX * IndexValue::Of("$ntid.x")).Shape(), (kX * Of(256)).Shape());
  const auto swizzled = [](const IndexValue& row) {
    return IndexValue::Operation("xor", {kX, row});
  };
  EXPECT_EQ(swizzled(kY + Of(8)).Shape(), swizzled(kY + kRound * Of(8)).Shape());
  EXPECT_NE(swizzled(kY + Of(8)).Text(), swizzled(kY).Text());
}

TEST(IndexValue, LeavesOutHowMuchARoundAdds) {
  EXPECT_EQ((kX + kRound * Of(512) + Of(128)).Text(), (kX + kRound * Of(2048)).Text());
  EXPECT_EQ((kX + kRound * kCols + kCols).Text(), (kX + kRound * kCols * Of(4)).Text());
}

TEST(IndexValue, SortsOperandsThatMayBeExchanged) {
  EXPECT_EQ(IndexValue::Operation("min", {kX, kY}), IndexValue::Operation("min", {kY, kX}));
  EXPECT_NE(kX.Divided(kY), kY.Divided(kX));
}

TEST(IndexValue, StaysWithinBounds) {
  IndexValue sum;
  for (int i = 0; i < 100; ++i) sum = sum + IndexValue::Of("$ld." + std::to_string(i));
  EXPECT_LE(sum.Text().size(), 64U * 16U);
  IndexValue power = kX + kY;
  for (int i = 0; i < 20; ++i) power = power * (kX + kY + kCols);
  EXPECT_LT(power.Text().size(), 10'000U);
  const IndexValue large = IndexValue::Of(INT64_MIN);
  EXPECT_EQ((large - Of(1)).Number(), INT64_MAX);
  EXPECT_TRUE(large.Divided(Of(-1)).Text().starts_with("1*div("));
}

}  // namespace
}  // namespace warpcheck::similarity
