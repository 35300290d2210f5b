// Tests the counter of the bytes that the busiest block of a launch moves.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

// A guard that lets only block 0 go on.
constexpr std::string_view kBlock0Alone =
    "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r2, 0; @%p1 ret; ";

// A load and a store of 4 bytes by each lane.
constexpr std::string_view kLoadAndStore =
    "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; "
    "ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd2+128], %r3; ";

CounterSet CountersOf(const std::string& body, std::uint32_t blocks, Options options = {}) {
  TestDevice device(std::move(options));
  device.Load(SmallKernel(body));
  const DeviceAddress data = device.Upload(std::vector<std::uint32_t>(64));
  EXPECT_EQ(device.Launch("k", {blocks, 1, 1}, {32, 1, 1}, Parameters().Add(data)),
            DeviceError::kSuccess);
  return device.last().counters;
}

TEST(BusiestBlock, HasOnlyItsOwnBytes) {
  const CounterSet counters = CountersOf(std::string(kLoadAndStore), 5);
  EXPECT_EQ(counters[Counter::kGlobalBytes], 5 * 256U);
  EXPECT_EQ(counters[Counter::kBusiestBlockBytes], 256U);
}

TEST(BusiestBlock, HasAllBytesIfOtherBlocksAreEmpty) {
  const CounterSet counters = CountersOf(std::string(kBlock0Alone) + std::string(kLoadAndStore), 5);
  EXPECT_EQ(counters[Counter::kGlobalBytes], 256U);
  EXPECT_EQ(counters[Counter::kBusiestBlockBytes], 256U);
}

TEST(BusiestBlock, IsTheOneWithMostBytes) {
  const std::string more = std::string(kLoadAndStore) + std::string(kBlock0Alone) +
                           "ld.global.v2.u32 {%r4, %r5}, [%rd1]; st.global.u32 [%rd1], %r4; ";
  EXPECT_EQ(CountersOf(more, 3)[Counter::kBusiestBlockBytes], 256U + 32 * 12U);
}

TEST(BusiestBlock, HasNoBytesOfSharedMemory) {
  EXPECT_EQ(CountersOf("mov.u32 %r2, 1;", 2)[Counter::kBusiestBlockBytes], 0U);
}

// Counts are kept by allocation, and by several threads.
TEST(BusiestBlock, IsTheSameWithAllOptions) {
  const std::string body = std::string(kBlock0Alone) + std::string(kLoadAndStore);
  Options by_allocation;
  by_allocation.by_allocation = true;
  EXPECT_EQ(CountersOf(body, 5, by_allocation)[Counter::kBusiestBlockBytes], 256U);
  Options of_threads;
  of_threads.threads = 2;
  EXPECT_EQ(CountersOf(body, 10'000, of_threads)[Counter::kBusiestBlockBytes], 256U);
}

// A block that waits for another one takes several turns, between which the other one runs. The
// blocks pass on a flag: block b waits until the flag is b.
TEST(BusiestBlock, AddsUpTheTurnsOfABlockThatWaits) {
  const CounterSet counters = CountersOf(
      "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; "
      "sub.u32 %r3, 2, %r2; "
      "WAIT: ld.volatile.global.u32 %r4, [%rd1]; setp.ne.u32 %p2, %r4, %r3; @%p2 bra WAIT; "
      "add.u32 %r4, %r4, 1; st.volatile.global.u32 [%rd1], %r4; DONE: ",
      3);
  const std::uint64_t all = *counters[Counter::kGlobalBytes];
  const std::uint64_t busiest = *counters[Counter::kBusiestBlockBytes];
  EXPECT_GE(busiest, 8U);
  EXPECT_GE(3 * busiest, all);
  EXPECT_LT(busiest, all);
}

// A thread of each block draws numbers from a counter until it gets 20, and stores 64 bytes for
// each of them.
constexpr std::string_view kDrawAndStore =
    "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; "
    "DRAW: atom.global.add.u32 %r2, [%rd1], 1; setp.ge.u32 %p2, %r2, 20; @%p2 bra DONE; "
    "st.global.v4.u32 [%rd1+128], {%r2, %r2, %r2, %r2}; "
    "st.global.v4.u32 [%rd1+144], {%r2, %r2, %r2, %r2}; "
    "st.global.v4.u32 [%rd1+160], {%r2, %r2, %r2, %r2}; "
    "st.global.v4.u32 [%rd1+176], {%r2, %r2, %r2, %r2}; bra DRAW; DONE: ";

TEST(BusiestBlock, HasAnEqualPartOfWhatBlocksDraw) {
  const CounterSet counters = CountersOf(std::string(kDrawAndStore), 4);
  EXPECT_EQ(counters[Counter::kGlobalBytes], 20 * 64U + 24 * 4U);
  EXPECT_EQ(counters[Counter::kBusiestBlockBytes], 5 * 64U + 6 * 4U);
}

// Each block draws once, and the first one draws a second time and does everything.
TEST(BusiestBlock, HasAllOfASinglePiece) {
  const std::string body =
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; atom.global.add.u32 %r2, [%rd1], 1; "
      "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p2, %r2, 0; @%p2 bra DONE; "
      "atom.global.add.u32 %r3, [%rd1], 1; st.global.v4.u32 [%rd1+128], {%r3, %r3, %r3, %r3}; "
      "DONE: ";
  EXPECT_EQ(CountersOf(body, 4)[Counter::kBusiestBlockBytes], 16 + 2 * 4U);
}

// Each block draws once, and block 0 draws all that is left.
TEST(BusiestBlock, HasWhatItDrawsWhileOthersDrawInVain) {
  const std::string body =
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; atom.global.add.u32 %r2, [%rd1], 0x100; "
      "mov.u32 %r2, %ctaid.x; setp.ne.u32 %p2, %r2, 0; @%p2 bra DONE; "
      "mov.u32 %r3, 20; LOOP: atom.global.inc.u32 %r2, [%rd1+4], 100; "
      "st.global.v4.u32 [%rd1+128], {%r2, %r2, %r2, %r2}; "
      "sub.u32 %r3, %r3, 1; setp.ne.u32 %p3, %r3, 0; @%p3 bra LOOP; DONE: ";
  EXPECT_EQ(CountersOf(body, 8)[Counter::kBusiestBlockBytes], 20 * 16U + 21 * 4U);
}

// Each warp draws for itself, so that a block of two warps has two drawers.
TEST(BusiestBlock, HasAnEqualPartOfWhatItsWarpsDraw) {
  const std::string body =
      "and.b32 %r1, %r1, 31; setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; "
      "DRAW: atom.global.add.u32 %r2, [%rd1], 1; setp.ge.u32 %p2, %r2, 12; @%p2 bra DONE; "
      "st.global.v4.u32 [%rd1+128], {%r2, %r2, %r2, %r2}; bra DRAW; DONE: ";
  TestDevice device;
  device.Load(SmallKernel(body));
  const DeviceAddress data = device.Upload(std::vector<std::uint32_t>(64));
  ASSERT_EQ(device.Launch("k", {4, 1, 1}, {64, 1, 1}, Parameters().Add(data)),
            DeviceError::kSuccess);
  // Twelve pieces for four blocks, and each warp draws once in vain.
  EXPECT_EQ(device.last().counters[Counter::kBusiestBlockBytes], 3 * 16U + 5 * 4U);
}

// The queue's counter goes on by compare-and-swap, which fails if another block was faster.
TEST(BusiestBlock, HasAnEqualPartOfWhatBlocksDrawByCompareAndSwap) {
  const std::string body =
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; ld.volatile.global.u32 %r2, [%rd1]; "
      "DRAW: setp.ge.u32 %p2, %r2, 20; @%p2 bra DONE; add.u32 %r3, %r2, 1; "
      "atom.global.cas.b32 %r4, [%rd1], %r2, %r3; setp.ne.u32 %p3, %r4, %r2; "
      "mov.u32 %r2, %r4; @%p3 bra DRAW; "
      "st.global.v4.u32 [%rd1+128], {%r2, %r2, %r2, %r2}; mov.u32 %r2, %r3; bra DRAW; DONE: ";
  const std::uint64_t busiest = *CountersOf(body, 4)[Counter::kBusiestBlockBytes];
  EXPECT_GE(busiest, 5 * 16U);
  EXPECT_LE(busiest, 6 * 16U + 16 * 4U);
}

// Returns the instructions of 16 blocks that each take a lock 50 times, and add up 800 in turn.
std::uint64_t InstructionsWithALock(const std::string& inside) {
  const std::string body =
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; mov.u32 %r3, 50; "
      "LOCK: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra LOCK; "
      "ld.volatile.global.u32 %r4, [%rd1+4]; add.u32 %r4, %r4, 1; " +
      inside +
      "st.volatile.global.u32 [%rd1+4], %r4; membar.gl; st.volatile.global.u32 [%rd1], 0; "
      "sub.u32 %r3, %r3, 1; setp.ne.u32 %p3, %r3, 0; @%p3 bra LOCK; DONE: ";
  TestDevice device;
  device.Load(SmallKernel(body));
  const DeviceAddress data = device.Upload(std::vector<std::uint32_t>(64));
  EXPECT_EQ(device.Launch("k", {16, 1, 1}, {32, 1, 1}, Parameters().Add(data)),
            DeviceError::kSuccess);
  EXPECT_EQ(device.Download<std::uint32_t>(data, 2)[1], 16 * 50U);
  return *device.last().counters[Counter::kWarpInstructions];
}

// A block that takes a lock again and again gives way only while it does not hold the lock, so that
// the others do not wait for it.
TEST(BusiestBlock, GivesWayWithoutTheLockThatItTakes) {
  EXPECT_LT(InstructionsWithALock(""), 16 * 50 * 20U);
}

// A block that draws while it holds a lock gives way with it. The others poll a few times then.
TEST(BusiestBlock, WaitsShortlyForALockOfABlockThatGaveWay) {
  EXPECT_LT(InstructionsWithALock("atom.global.add.u32 %r5, [%rd1+8], 1; add.u32 %r4, %r4, %r5; "
                                  "sub.u32 %r4, %r4, %r5; "),
            16 * 50 * 400U);
}

TEST(BusiestBlock, HasAllThatItDrawsAlone) {
  const std::string body = std::string(kBlock0Alone) + std::string(kDrawAndStore);
  EXPECT_EQ(CountersOf(body, 4)[Counter::kBusiestBlockBytes], 20 * 64U + 21 * 4U);
}

TEST(BusiestBlock, HasWhatItMovesBesideBlocksThatDraw) {
  const std::string body = "mov.u32 %r3, %ctaid.x; setp.ne.u32 %p3, %r3, 0; @%p3 bra OTHERS; " +
                           std::string(kLoadAndStore) + std::string(kLoadAndStore) +
                           "ret; OTHERS: " + std::string(kDrawAndStore);
  EXPECT_EQ(CountersOf(body, 5)[Counter::kBusiestBlockBytes], 512U);
}

// Each block asks once whether it is the last one, which then adds up what all have found.
TEST(BusiestBlock, HasWhatTheLastBlockMoves) {
  const CounterSet counters = CountersOf(
      "setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; atom.global.add.u32 %r2, [%rd1], 1; "
      "setp.ne.u32 %p2, %r2, 3; @%p2 bra DONE; "
      "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1+128]; st.global.u32 [%rd1], %r3; DONE: ",
      4);
  EXPECT_EQ(counters[Counter::kBusiestBlockBytes], 4 + 16 + 4U);
}

}  // namespace
}  // namespace warpcheck::emulator
