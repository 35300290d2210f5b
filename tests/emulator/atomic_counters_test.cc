// Tests that atomics are counted separately from loads and stores.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

CounterSet TotalsOf(std::string_view body) {
  TestDevice device;
  device.Load(SmallKernel(body, ".shared .align 8 .b8 shared_memory[4096];\n"));
  const DeviceAddress out = device.Upload(std::vector<std::uint64_t>(64));
  EXPECT_EQ(device.Launch("k", {1, 1, 1}, {32, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.last().counters;
}

// Each lane has a word of its own. Together the words are four sectors.
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

// If the result is not used, nvcc writes atom, and a GPU executes a reduction.
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

TEST(AtomicCounters, CountTheLanesThatTakePart) {
  const CounterSet totals = TotalsOf(Of(
      "setp.lt.u32 %p1, %r1, 5; @%p1 atom.global.add.u32 %r2, [%rd2], 0; setp.lt.u32 %p2, %r1, 7;"
      "@%p2 red.global.add.u32 [%rd2], %r2; mov.u32 %r3, shared_memory; setp.lt.u32 %p3, %r1, 9;"
      "@%p3 red.shared.add.u32 [%r3], 1;"));
  EXPECT_EQ(totals[Counter::kGlobalAtomicLanes], 5U);
  EXPECT_EQ(totals[Counter::kGlobalReductionLanes], 7U);
  EXPECT_EQ(totals[Counter::kSharedAtomicLanes], 9U);
  EXPECT_EQ(totals[Counter::kGlobalLanes], 12U);
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

// Returns the wavefronts of an instruction for which lane i has the address i * `stride` in shared
// memory.
std::uint64_t WavefrontsOf(std::string_view instruction, int stride) {
  const CounterSet totals = TotalsOf(
      fmt::format("mul.lo.u32 %r3, %r1, {}; mov.u32 %r4, shared_memory; add.u32 %r3, %r3, %r4; "
                  "{}",
                  stride, instruction));
  EXPECT_EQ(totals[Counter::kSharedRequests], 1U) << instruction;
  return *totals[Counter::kSharedWavefronts];
}

// ptxas (13.0, for sm_90) puts ATOMS.CAST.SPIN and ATOMS.CAS into loops, in which one of the lanes
// with one address succeeds at a time. 32-bit integers have instructions of their own.
TEST(AtomicCounters, LanesTakeTurnsWhereSharedMemoryHasNoInstruction) {
  for (const std::string_view one :
       {"red.shared.add.f32 [%r3], 0f3F800000;", "atom.shared.add.f32 %f1, [%r3], 0f3F800000;",
        "red.shared.add.f64 [%r3], 0d3FF0000000000000;", "red.shared.add.noftz.f16x2 [%r3], %r2;",
        "red.shared.add.noftz.bf16x2 [%r3], %r2;", "red.shared.add.u64 [%r3], 1;",
        "red.shared.min.s64 [%r3], 1;", "red.shared.max.u64 [%r3], 1;",
        "red.shared.and.b64 [%r3], 1;", "red.shared.or.b64 [%r3], 1;",
        "red.shared.xor.b64 [%r3], 1;",
        "atom.shared.cas.b32 %r2, [%r3], 0, 1; st.global.u32 [%rd1], %r2;"}) {
    EXPECT_EQ(WavefrontsOf(one, 0), 32U) << one;
  }
  for (const std::string_view one : {"red.shared.add.u32 [%r3], 1;", "red.shared.add.s32 [%r3], 1;",
                                     "red.shared.inc.u32 [%r3], 9;", "red.shared.dec.u32 [%r3], 9;",
                                     "red.shared.min.u32 [%r3], 9;", "red.shared.max.s32 [%r3], 9;",
                                     "red.shared.and.b32 [%r3], 9;", "red.shared.or.b32 [%r3], 9;",
                                     "red.shared.xor.b32 [%r3], 9;"}) {
    EXPECT_EQ(WavefrontsOf(one, 0), 1U) << one;
  }
  EXPECT_EQ(WavefrontsOf("red.shared.add.f32 [%r3], 0f3F800000;", 4), 1U);
  EXPECT_EQ(WavefrontsOf("red.shared.add.f64 [%r3], 0d3FF0000000000000;", 8), 2U);
}

// An mbarrier is an object of 8 bytes in shared memory. Lanes that give numbers to one object take
// turns. Arrivals at one object are counted, unless all warps arrive so and the phase ends. A wait
// at one object is not counted. A GPU counts nothing, so that the counters are of their own.
TEST(AtomicCounters, MbarriersCountWhereTheyKeepData) {
  const auto beside_init = [](std::string_view instruction, std::uint32_t stride) {
    const auto counted = [&](std::string_view then) {
      return TotalsOf(
          fmt::format("mov.u32 %r4, shared_memory; mad.lo.u32 %r3, %r1, {}, %r4; "
                      "mbarrier.init.shared.b64 [%r3], 1000; {}",
                      stride, then));
    };
    const CounterSet alone = counted("");
    const CounterSet both = counted(instruction);
    EXPECT_EQ(both[Counter::kSharedRequests], 0U) << instruction;
    EXPECT_EQ(both[Counter::kSharedWavefronts], 0U) << instruction;
    return *both[Counter::kMbarrierPasses] - *alone[Counter::kMbarrierPasses];
  };
  EXPECT_EQ(beside_init("mbarrier.init.shared.b64 [%r3], 5;", 8), 2U);
  EXPECT_EQ(beside_init("mbarrier.init.shared.b64 [%r3], 5;", 128), 32U);
  EXPECT_EQ(beside_init("mbarrier.init.shared.b64 [%r3], 5;", 0), 32U);
  for (const std::string_view arriving :
       {"mbarrier.arrive.shared.b64 _, [%r3];", "mbarrier.arrive.shared.b64 _, [%r3], 1;"}) {
    EXPECT_EQ(beside_init(arriving, 0), 1U) << arriving;
    EXPECT_EQ(beside_init(arriving, 8), 2U) << arriving;
    EXPECT_EQ(beside_init(arriving, 128), 32U) << arriving;
  }
  EXPECT_EQ(beside_init("mbarrier.inval.shared.b64 [%r3];", 8), 2U);
  constexpr std::string_view kWait = "mbarrier.test_wait.parity.shared.b64 %p1, [%r3], 0;";
  EXPECT_EQ(beside_init(kWait, 0), 0U);
  EXPECT_EQ(beside_init(kWait, 8), 2U);
  EXPECT_EQ(beside_init(kWait, 128), 32U);
  for (const std::string_view giving :
       {"mbarrier.arrive.noComplete.shared.b64 %rd3, [%r3], 2;",
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r3], 4;"}) {
    EXPECT_EQ(beside_init(giving, 0), 32U) << giving;
    EXPECT_EQ(beside_init(giving, 8), 2U) << giving;
  }
}

// Returns the passes of a kernel of `warps` warps, each of which executes `arrive` at the object in
// [%r3] for each of its phases of `expected` arrivals.
std::uint64_t PassesOfArrivals(std::uint32_t warps, std::uint32_t expected,
                               std::string_view arrive) {
  TestDevice device;
  device.Load(SmallKernel(fmt::format("mov.u32 %r3, smem; setp.ne.u32 %p1, %r1, 0; "
                                      "@!%p1 mbarrier.init.shared.b64 [%r3], {}; bar.sync 0; {}",
                                      expected, arrive),
                          ".shared .align 8 .b64 smem;\n"));
  const DeviceAddress out = device.Upload(std::vector<std::uint64_t>(1));
  EXPECT_EQ(device.Launch("k", kSingle, {32 * warps, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return *device.last().counters[Counter::kMbarrierPasses] - 1;  // one is that of mbarrier.init
}

TEST(AtomicCounters, WarpsThatWaitForEachOtherAtAnMbarrierCostNothing) {
  constexpr std::string_view kOnce = "mbarrier.arrive.shared.b64 _, [%r3];";
  EXPECT_EQ(PassesOfArrivals(4, 128, kOnce), 0U);
  EXPECT_EQ(PassesOfArrivals(4, 129, kOnce),
            4U);                                  // the phase does not end: the object is a counter
  EXPECT_EQ(PassesOfArrivals(1, 32, kOnce), 1U);  // nobody waits for another warp
  const std::string often = fmt::format("{0} {0} {0}", kOnce);
  EXPECT_EQ(PassesOfArrivals(4, 384, often), 12U);  // three numbers of a warp in one phase
}

}  // namespace
}  // namespace warpcheck::emulator
