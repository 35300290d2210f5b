// Tests the counter of the shared memory that blocks take.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

// Runs 3 blocks of 32 lanes with 256 bytes of shared memory, and returns the bytes that they take.
// %r1 is the number of the lane, and %r2 four times that.
std::optional<std::uint64_t> TakenBy(const std::string& body, Options options = {}) {
  options.shared_fills = true;
  TestDevice device(std::move(options));
  device.Load(
      SmallKernel(".shared .align 4 .b8 tile[256]; and.b32 %r1, %r1, 31; "
                  "shl.b32 %r2, %r1, 2; mov.u32 %r5, tile; add.u32 %r6, %r5, %r2; "
                  "add.u32 %r7, %r5, %r1; " +
                  body));
  const DeviceAddress data = device.Upload(std::vector<std::uint32_t>(64));
  EXPECT_EQ(device.Launch("k", {3, 1, 1}, {32, 1, 1}, Parameters().Add(data)),
            DeviceError::kSuccess);
  return device.last().counters[Counter::kSharedBytesTaken];
}

TEST(SharedFills, CountsTheMemoryOfEachBlockThatStores) {
  EXPECT_EQ(TakenBy("st.shared.u32 [%r6], %r1;"), 3 * 256U);
}

TEST(SharedFills, CountsNoBlockThatStoresNothing) {
  EXPECT_EQ(TakenBy("ld.shared.u32 %r3, [%r6];"), 0U);
  EXPECT_EQ(TakenBy("mov.u32 %r3, %ctaid.x; setp.ne.u32 %p1, %r3, 0; @%p1 bra DONE; "
                    "st.shared.u32 [%r6], %r1; DONE:"),
            256U);
}

TEST(SharedFills, CountsTheMemoryAgainIfABlockFillsItAgain) {
  EXPECT_EQ(TakenBy("st.shared.u32 [%r6], %r1; st.shared.u32 [%r6], %r2; "
                    "st.shared.u32 [%r6], %r1;"),
            3 * 3 * 256U);
}

// Two buffers that are filled one after the other are filled once.
TEST(SharedFills, CountsTwoHalvesOnce) {
  EXPECT_EQ(TakenBy("st.shared.u32 [%r6], %r1; st.shared.u32 [%r6+128], %r2;"), 3 * 256U);
}

// One byte of each word is used, so that all words are filled again.
TEST(SharedFills, CountsWholeMemoryForOneByteOfEachWord) {
  EXPECT_EQ(TakenBy("st.shared.u8 [%r6], %r1; st.shared.u8 [%r6], %r2;"), 2 * 3 * 256U);
}

// A flag that is stored more often than the tile does not count, nor does a first clearing.
TEST(SharedFills, LeavesOutWhatFewStoresDo) {
  EXPECT_EQ(TakenBy("st.shared.u32 [%r6], %r1; setp.ne.u32 %p1, %r1, 0; "
                    "@!%p1 st.shared.u32 [tile+252], %r1; @!%p1 st.shared.u32 [tile+252], %r1; "
                    "@!%p1 st.shared.u32 [tile+252], %r1;"),
            3 * 256U);
  EXPECT_EQ(TakenBy("st.shared.u32 [%r6], %r1; st.shared.u8 [%r7], %r1; st.shared.u8 [%r7], %r1; "
                    "st.shared.u8 [%r7], %r1; st.shared.u8 [%r7], %r1; st.shared.u8 [%r7], %r1; "),
            6 * 3 * 256U);
}

TEST(SharedFills, CountsCopies) {
  EXPECT_EQ(TakenBy("cvt.u64.u32 %rd3, %r2; add.u64 %rd3, %rd3, %rd1; "
                    "cp.async.ca.shared.global [%r6], [%rd3], 4; cp.async.wait_all; "
                    "cp.async.ca.shared.global [%r6], [%rd3], 4; cp.async.wait_all;"),
            2 * 3 * 256U);
}

TEST(SharedFills, AreTheSameByTwoThreads) {
  Options of_threads;
  of_threads.threads = 2;
  EXPECT_EQ(TakenBy("st.shared.u32 [%r6], %r1; st.shared.u32 [%r6], %r2;", of_threads),
            2 * 3 * 256U);
}

TEST(SharedFills, AreNotCountedUnlessAskedFor) {
  TestDevice device;
  device.Load(SmallKernel("mov.u32 %r2, 1;"));
  const DeviceAddress data = device.Upload(std::vector<std::uint32_t>(64));
  EXPECT_EQ(device.Launch("k", {1, 1, 1}, {32, 1, 1}, Parameters().Add(data)),
            DeviceError::kSuccess);
  EXPECT_EQ(device.last().counters[Counter::kSharedBytesTaken], std::nullopt);
}

}  // namespace
}  // namespace warpcheck::emulator
