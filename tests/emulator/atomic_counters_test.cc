// Atomics are counted apart from loads and stores.
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

CounterSet TotalsOf(std::string_view body) {
  TestDevice device;
  device.Load(SmallKernel(body, ".shared .align 8 .b8 shared_memory[256];\n"));
  const DeviceAddress out = device.Upload(std::vector<std::uint64_t>(64));
  EXPECT_EQ(device.Launch("k", {1, 1, 1}, {32, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.last().counters;
}

// Each lane has a word of its own: four sectors.
constexpr std::string_view kOwnWord = "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; ";

std::string Of(std::string_view instruction) {
  return std::string(kOwnWord) + std::string(instruction);
}

TEST(AtomicCounters, AtomicsWhoseResultIsUsedReadMemory) {
  const CounterSet totals =
      TotalsOf(Of("atom.global.add.u32 %r2, [%rd2], 0; st.global.u32 [%rd2], %r2;"));
  EXPECT_EQ(totals[Counter::kGlobalAtomicRequests], 1U);
  EXPECT_EQ(totals[Counter::kGlobalAtomicSectors], 4U);
  EXPECT_EQ(totals[Counter::kGlobalAtomicBytes], 128U);
  EXPECT_EQ(totals[Counter::kGlobalReductionRequests], 0U);
  EXPECT_EQ(totals[Counter::kGlobalLoadSectors], 0U);
  EXPECT_EQ(totals[Counter::kGlobalStoreRequests], 1U);
  EXPECT_EQ(totals[Counter::kGlobalRequests], 2U);
  EXPECT_EQ(totals[Counter::kGlobalSectors], 8U);
}

TEST(AtomicCounters, WideOnesGiveMoreBytes) {
  const CounterSet totals = TotalsOf(
      "mul.wide.u32 %rd2, %r1, 8; add.u64 %rd2, %rd1, %rd2; "
      "atom.global.add.u64 %rd3, [%rd2], 0; st.global.u64 [%rd2], %rd3;");
  EXPECT_EQ(totals[Counter::kGlobalAtomicSectors], 8U);
  EXPECT_EQ(totals[Counter::kGlobalAtomicBytes], 256U);
}

// Nobody wants the result: nvcc writes atom, and a GPU carries out a reduction.
TEST(AtomicCounters, ReductionsReadNothing) {
  for (const std::string_view one :
       {"red.global.add.u32 [%rd2], 1;", "atom.global.add.u32 %r2, [%rd2], 1;"}) {
    const CounterSet totals = TotalsOf(Of(one));
    EXPECT_EQ(totals[Counter::kGlobalReductionRequests], 1U) << one;
    EXPECT_EQ(totals[Counter::kGlobalAtomicRequests], 0U) << one;
    EXPECT_EQ(totals[Counter::kGlobalAtomicSectors], 0U) << one;
    EXPECT_EQ(totals[Counter::kGlobalAtomicBytes], 0U) << one;
    EXPECT_EQ(totals[Counter::kGlobalSectors], 4U) << one;
  }
}

TEST(AtomicCounters, NoReductionExchanges) {
  const CounterSet totals = TotalsOf(Of("atom.global.exch.b32 %r2, [%rd2], 1;"));
  EXPECT_EQ(totals[Counter::kGlobalAtomicRequests], 1U);
  EXPECT_EQ(totals[Counter::kGlobalReductionRequests], 0U);
}

TEST(AtomicCounters, OfSharedMemoryAreRequestsOfTheirOwn) {
  const CounterSet totals = TotalsOf(
      "shl.b32 %r3, %r1, 2; mov.u32 %r4, shared_memory; add.u32 %r3, %r3, %r4; "
      "st.shared.u32 [%r3], 0; atom.shared.add.u32 %r2, [%r3], 1; red.shared.add.u32 [%r3], %r2;");
  EXPECT_EQ(totals[Counter::kSharedAtomicRequests], 2U);
  EXPECT_EQ(totals[Counter::kSharedStoreRequests], 1U);
  EXPECT_EQ(totals[Counter::kSharedRequests], 3U);
  EXPECT_EQ(totals[Counter::kGlobalAtomicRequests], 0U);
}

}  // namespace
}  // namespace warpcheck::emulator
