#include "host/gpu_turn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace warpcheck {
namespace {

using ::testing::HasSubstr;

TEST(GpuTurn, BelongsToOneGradingUntilItIsClosed) {
  auto turn = TakeTurnAtGpu(std::chrono::minutes(1));
  ASSERT_TRUE(turn.has_value()) << turn.error().message;
  const auto other = TakeTurnAtGpu(std::chrono::milliseconds(100));
  ASSERT_FALSE(other.has_value());
  EXPECT_THAT(other.error().message, HasSubstr("other gradings are reading theirs"));

  turn->Close();
  EXPECT_TRUE(TakeTurnAtGpu(std::chrono::minutes(1)).has_value());
}

}  // namespace
}  // namespace warpcheck
