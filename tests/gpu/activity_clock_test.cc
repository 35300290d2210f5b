#include "gpu/cupti/activity_clock.h"

#include <gmock/gmock.h>

#include "gpu/cupti_fake.h"

namespace warpcheck::gpu {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(ActivityClock, AddsUpTheTimesOfKernels) {
  CuptiFake fake;
  auto clock = ActivityClock::Start(fake.api);
  ASSERT_TRUE(clock) << clock.error().Text();
  fake.kernel_times = {{1'000, 3'500}, {4'000, 4'500}};
  EXPECT_EQ((*clock)->Take().value(), 3);
  fake.kernel_times = {{10'000, 10'250}};
  EXPECT_EQ((*clock)->Take().value(), 0.25);
}

// A buffer has room for some hundred records.
TEST(ActivityClock, ReadsAnyNumberOfBuffers) {
  CuptiFake fake;
  auto clock = ActivityClock::Start(fake.api);
  ASSERT_TRUE(clock);
  fake.kernel_times.assign(5'000, {1, 1'001});
  EXPECT_EQ((*clock)->Take().value(), 5'000);
}

TEST(ActivityClock, SaysWhatCuptiDoesNotKnow) {
  CuptiFake fake;
  auto clock = ActivityClock::Start(fake.api);
  ASSERT_TRUE(clock);
  EXPECT_EQ((*clock)->Take().error().message, "CUPTI did not record the kernel");
  fake.kernel_times = {{1, 2}, {0, 0}};
  EXPECT_EQ((*clock)->Take().error().message, "CUPTI lost the time of a kernel");
  fake.kernel_times = {{1'000, 2'000}};
  EXPECT_EQ((*clock)->Take().value(), 1);
}

TEST(ActivityClock, EndsWithTheObject) {
  CuptiFake fake;
  { ASSERT_TRUE(ActivityClock::Start(fake.api)); }
  EXPECT_THAT(fake.calls, Contains("cuptiActivityDisable"));
  EXPECT_TRUE(ActivityClock::Start(fake.api));
}

TEST(ActivityClock, IsTheOnlyOne) {
  CuptiFake fake;
  const auto first = ActivityClock::Start(fake.api);
  ASSERT_TRUE(first);
  EXPECT_FALSE(ActivityClock::Start(fake.api));
}

TEST(ActivityClock, IsRefusedWhileAnotherToolWatches) {
  CuptiFake fake;
  fake.failures["cuptiActivityEnable"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  const auto clock = ActivityClock::Start(fake.api);
  ASSERT_FALSE(clock);
  EXPECT_THAT(clock.error().message, HasSubstr("another profiler or debugger is at work"));
}

}  // namespace
}  // namespace warpcheck::gpu
