// Tests the accesses that a launch keeps as examples of a line.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string_view>
#include <vector>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

// Returns a store of a full warp. Each lane's 4 bytes lie `step` bytes after the 4 bytes of the
// lane before.
AccessExample StoreWithStep(std::uint64_t step) {
  AccessExample access{.kind = AccessExample::Kind::kStore, .mask = kAllLanes, .bytes = 4};
  for (std::size_t lane = 0; lane < kLanes; ++lane) access.offsets[lane] = lane * step;
  return access;
}

// Runs a kernel with a tile in shared memory, and returns the examples of its first line.
std::vector<AccessExample> ExamplesOf(std::string_view body, unsigned threads, std::uint64_t seed) {
  Options options;
  options.threads = threads;
  options.order_seed = seed;
  TestDevice device(options);
  device.Load(SmallKernel(body, ".shared .align 4 .b8 tile[4224];\n"));
  const DeviceAddress out = device.Upload(std::vector<int>(64));
  EXPECT_EQ(device.Launch("k", {256, 1, 1}, {256, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.last().lines.empty() ? std::vector<AccessExample>()
                                     : device.last().lines.front().examples;
}

constexpr std::string_view kColumns =
    "and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5; shl.b32 %r4, %r2, 7; shl.b32 %r5, %r3, 2; "
    "add.u32 %r7, %r4, %r5; mov.u32 %r6, tile; add.u32 %r8, %r7, %r6; st.shared.u32 [%r8], %r1;";

TEST(BankConflict, OfALaunchAreShownByTheWorstAccess) {
  const auto examples = ExamplesOf(kColumns, 1, 1);
  ASSERT_THAT(examples, testing::SizeIs(1));
  AccessExample expected = StoreWithStep(128);
  expected.cost = 32;
  expected.ideal = 1;
  expected.end = 4224;
  EXPECT_EQ(examples[0], expected);
}

TEST(BankConflict, ExamplesAreTheSameWithManyThreadsAndInAnyOrder) {
  const auto examples = ExamplesOf(kColumns, 1, 1);
  for (std::uint64_t seed = 2; seed < 5; ++seed) {
    EXPECT_EQ(ExamplesOf(kColumns, 1, seed), examples);
    EXPECT_EQ(ExamplesOf(kColumns, 3, seed), examples);
  }
}

// Runs a kernel in which each lane stores a word, `stride` bytes after that of the lane before.
// Returns the examples of its first line.
std::vector<AccessExample> StoredWithStride(int stride, unsigned threads, std::uint64_t seed) {
  Options options;
  options.threads = threads;
  options.order_seed = seed;
  TestDevice device(options);
  device.Load(
      SmallKernel(fmt::format("mul.wide.u32 %rd2, %r1, {}; add.u64 %rd3, %rd1, %rd2; "
                              "st.global.u32 [%rd3], %r1;",
                              stride)));
  const DeviceAddress out = device.Upload(std::vector<int>(std::size_t{256} * 16));
  EXPECT_EQ(device.Launch("k", {256, 1, 1}, {256, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.last().lines.front().examples;
}

TEST(AccessToGlobalMemory, IsShownWhereItMovesMoreThanItNeeds) {
  const auto examples = StoredWithStride(64, 1, 1);
  ASSERT_THAT(examples, testing::SizeIs(1));
  AccessExample expected = StoreWithStep(64);
  expected.memory = AccessExample::Memory::kGlobal;
  expected.cost = 32;
  expected.ideal = 4;
  EXPECT_EQ(examples[0], expected);
  EXPECT_THAT(StoredWithStride(4, 1, 1), testing::IsEmpty());
}

TEST(AccessToGlobalMemory, IsTheSameWithManyThreadsAndInAnyOrder) {
  const auto examples = StoredWithStride(12, 1, 1);
  ASSERT_THAT(examples, testing::SizeIs(1));
  for (std::uint64_t seed = 2; seed < 5; ++seed) {
    EXPECT_EQ(StoredWithStride(12, 1, seed), examples);
    EXPECT_EQ(StoredWithStride(12, 3, seed), examples);
  }
}

TEST(BankConflict, AreNotShownWhereThereAreNone) {
  EXPECT_THAT(ExamplesOf("and.b32 %r2, %r1, 31; shl.b32 %r4, %r2, 2; mov.u32 %r6, tile; "
                         "add.u32 %r4, %r4, %r6; st.shared.u32 [%r4], %r1;",
                         1, 1),
              testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck::emulator
