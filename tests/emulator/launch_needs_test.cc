// Tests what a launch needs of a GPU beside its counters.
#include <gtest/gtest.h>

#include <string>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

// Launches `grid` blocks of 32 lanes of a kernel with an array of 4,096 floats, which has 512
// sectors, in %rd1 and the lane's own word of it in %rd2.
LaunchNeeds NeedsOf(const std::string& body, const Dim3& grid = kSingle, unsigned threads = 1) {
  Options options;
  options.by_allocation = true;
  options.threads = threads;
  TestDevice device(std::move(options));
  device.Load(SmallKernel("mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd1, %rd3;" + body));
  const DeviceAddress array = device.Upload(std::vector<float>(4096));
  EXPECT_EQ(device.Launch("k", grid, {32, 1, 1}, Parameters().Add(array)), DeviceError::kSuccess);
  EXPECT_TRUE(device.last().needs.has_value());
  return device.last().needs.value_or(LaunchNeeds());
}

TEST(LaunchNeeds, CountSectorsOfAnArrayOnce) {
  const std::string body = "ld.global.u32 %r2, [%rd2]; st.global.u32 [%rd2+128], %r2;";
  EXPECT_EQ(NeedsOf(body).load_sectors, 4U);
  EXPECT_EQ(NeedsOf(body).store_sectors, 4U);
  // 200 blocks load the same sectors: no more than the array has.
  EXPECT_EQ(NeedsOf(body, {200, 1, 1}).load_sectors, 512U);
  EXPECT_EQ(NeedsOf(body, {200, 1, 1}).store_sectors, 512U);
}

TEST(LaunchNeeds, AreTheSameWithSeveralThreads) {
  const std::string body = "ld.global.u32 %r2, [%rd2]; add.u32 %r2, %r2, 1;";
  EXPECT_EQ(NeedsOf(body, {64, 1, 1}, 3), NeedsOf(body, {64, 1, 1}, 1));
}

TEST(LaunchNeeds, TellTheGpuAndHowManyBlocksItRuns) {
  const LaunchNeeds needs = NeedsOf("ld.global.u32 %r2, [%rd2];");
  EXPECT_EQ(needs.target, 90);
  EXPECT_EQ(needs.active_blocks, 32U);
}

// 32 lanes of 256 blocks update an array of 4,096 words: some word is updated twice or more.
TEST(LaunchNeeds, KnowHowOftenAWordIsUpdatedAtLeast) {
  EXPECT_EQ(NeedsOf("red.global.add.u32 [%rd2], 1;").word_updates, 1U);
  EXPECT_EQ(NeedsOf("red.global.add.u32 [%rd2], 1;", {256, 1, 1}).word_updates, 2U);
  EXPECT_EQ(NeedsOf("atom.global.add.u32 %r2, [%rd2], 1;", {257, 1, 1}).word_updates, 3U);
  EXPECT_EQ(NeedsOf("st.global.u32 [%rd2], 1;", {256, 1, 1}).word_updates, 0U);
  // An atomic loads and stores.
  EXPECT_EQ(NeedsOf("red.global.add.u32 [%rd2], 1;").load_sectors, 4U);
  EXPECT_EQ(NeedsOf("red.global.add.u32 [%rd2], 1;").store_sectors, 4U);
}

TEST(LaunchNeeds, CountWaitsForLoadsThatGoOutTogetherOnce) {
  EXPECT_EQ(NeedsOf("mov.u32 %r2, 0;").load_waits, 0U);
  EXPECT_EQ(NeedsOf("ld.global.u32 %r2, [%rd2];").load_waits, 1U);
  EXPECT_EQ(NeedsOf("ld.global.u32 %r2, [%rd2];", {5, 1, 1}).load_waits, 5U);
  // The use of the first value may wait until the second load is out.
  EXPECT_EQ(NeedsOf("ld.global.u32 %r2, [%rd2]; add.u32 %r4, %r2, 1;"
                    "ld.global.u32 %r3, [%rd2+128]; add.u32 %r4, %r4, %r3;")
                .load_waits,
            1U);
}

// The array has zeros, so that an address plus a loaded value stays in it.
TEST(LaunchNeeds, CountLoadsThatNeedTheValueOfAnotherOneByOne) {
  const std::string chain =
      "ld.global.u32 %r2, [%rd2]; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd2, %rd4;"
      "ld.global.u32 %r3, [%rd5];";
  EXPECT_EQ(NeedsOf(chain).load_waits, 2U);
  EXPECT_EQ(NeedsOf(chain + "ld.global.u32 %r4, [%rd2+256];").load_waits, 2U);
  // A value that is overwritten is not needed.
  EXPECT_EQ(NeedsOf("ld.global.u32 %r2, [%rd2]; mov.u32 %r2, 0; mul.wide.u32 %rd4, %r2, 4;"
                    "add.u64 %rd5, %rd2, %rd4; ld.global.u32 %r3, [%rd5];")
                .load_waits,
            1U);
}

TEST(LaunchNeeds, CountEachRoundOfALoop) {
  EXPECT_EQ(NeedsOf("mov.u32 %r2, 0;\nagain:\n ld.global.u32 %r3, [%rd2]; add.u32 %r2, %r2, 1;"
                    "setp.lt.u32 %p1, %r2, 7; @%p1 bra again;")
                .load_waits,
            7U);
}

TEST(LaunchNeeds, DoNotWaitForStoresAndSharedMemory) {
  EXPECT_EQ(NeedsOf("st.global.u32 [%rd2], 1; red.global.add.u32 [%rd2], 1;").load_waits, 0U);
  // Nothing waits for the result of an atomic that nothing uses.
  EXPECT_EQ(NeedsOf("atom.global.add.u32 %r2, [%rd2], 1;").load_waits, 0U);
  EXPECT_EQ(
      NeedsOf("atom.global.add.u32 %r2, [%rd2], 1; st.global.u32 [%rd2+128], %r2;").load_waits, 1U);
}

TEST(LaunchNeeds, AreLeftOutWhereAllocationsAreNotCounted) {
  TestDevice device;
  device.Load(SmallKernel("ld.global.u32 %r2, [%rd1];"));
  const DeviceAddress array = device.Upload(std::vector<float>(4));
  ASSERT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(array)), DeviceError::kSuccess);
  EXPECT_EQ(device.last().needs, std::nullopt);
}

TEST(LaunchNeeds, AddUpOverLaunches) {
  LaunchRecord sum;
  sum.needs = LaunchNeeds{.target = 90, .active_blocks = 8};
  LaunchRecord one;
  one.needs = LaunchNeeds{.target = 90,
                          .active_blocks = 8,
                          .load_sectors = 1,
                          .store_sectors = 2,
                          .word_updates = 3,
                          .load_waits = 4};
  AddLaunch(sum, one, 3);
  EXPECT_EQ(*sum.needs, (LaunchNeeds{.target = 90,
                                     .active_blocks = 8,
                                     .load_sectors = 3,
                                     .store_sectors = 6,
                                     .word_updates = 9,
                                     .load_waits = 12}));
  one.needs.reset();
  AddLaunch(sum, one);
  EXPECT_EQ(sum.needs, std::nullopt);
}

}  // namespace
}  // namespace warpcheck::emulator
