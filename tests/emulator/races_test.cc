// Tests the race checker. Every kernel of data/races.cu races at the lines that say so, and nowhere
// else, in any order of blocks and warps. Further tests compare the messages of findings.
#include <gmock/gmock.h>

#include <numeric>

#include "base/files.h"
#include "emulator/checkers/checkers.h"
#include "emulator/checkers/races/clock.h"
#include "emulator/checkers/races/flags.h"
#include "emulator/checkers/races/shadow/shadow_memory.h"
#include "emulator/checkers/races/signals.h"
#include "emulator/speaking_kernels.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

class Races : public testing::TestWithParam<SpeakingKernel> {
 public:
  // Runs the kernel and returns its findings. If `checker` is given, it watches the run.
  static std::vector<Finding> Run(const SpeakingKernel& kernel, std::optional<std::uint64_t> seed,
                                  const std::vector<int>& input = std::vector<int>(16384),
                                  Observer* checker = nullptr) {
    Options options;
    if (checker == nullptr) options.checkers.push_back(CheckerNamed("races"));
    if (checker != nullptr) options.observers.push_back(checker);
    options.order_seed = seed;
    options.is_student_file = [](std::string_view path) { return path.ends_with("races.cu"); };
    options.instruction_budget = 10'000'000;
    TestDevice device(options);
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/races.ptx");
    if (!ptx) return {};
    device.Load(*ptx);
    const DeviceAddress out = device.Upload(std::vector<int>(16384));
    const DeviceAddress in = device.Upload(input);
    EXPECT_EQ(device.Launch(kernel.name, kernel.grid, kernel.block, Parameters().Add(out).Add(in)),
              DeviceError::kSuccess);
    return device.last().findings;
  }
};

TEST_P(Races, AreFoundAtTheirLinesAlone) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto findings = Run(GetParam(), seed == 0 ? std::nullopt : std::optional(seed));
    EXPECT_EQ(LinesOf(findings), GetParam().expected) << "with seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Races,
                         testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/races.cu")),
                         [](const testing::TestParamInfo<SpeakingKernel>& kernel) {
                           return kernel.param.name;
                         });

// What the checker remembers of one device's launches must not affect the next device.
TEST(RaceChecker, ServesOneDeviceAfterTheOther) {
  const auto checker = CheckerNamed("races")->make();
  for (const SpeakingKernel& kernel : SpeakingKernels(WARPCHECK_TEST_DATA "/races.cu")) {
    const auto findings = Races::Run(kernel, std::nullopt, std::vector<int>(16384), checker.get());
    EXPECT_EQ(LinesOf(findings), kernel.expected) << kernel.name;
  }
}

TEST(RaceClock, ShouldRestartLongBeforeItsEpochsRunOut) {
  RaceClock clock;
  clock.BeginLaunch();
  EXPECT_FALSE(clock.should_restart());
  while (!clock.should_restart()) clock.Tick();
  EXPECT_FALSE(clock.out_of_epochs());
}

// Returns the message of the first race of a kernel, whose input is 100, 101, ...
class RaceText : public Races {
 protected:
  static std::string Of(const std::string& name, std::uint32_t threads) {
    std::vector<int> input(16384);
    std::iota(input.begin(), input.end(), 100);
    const auto findings = Run({name, {1, 1, 1}, {threads, 1, 1}, {}}, std::nullopt, input);
    return findings.empty() ? "no race" : findings.front().message;
  }
};

TEST_F(RaceText, NamesBothThreadsAndWhatTheyReadAndWrite) {
  EXPECT_EQ(Of("missing_barrier", 64),
            "thread (31,0,0) reads element 32 of tile, which thread (32,0,0) writes at line 10; "
            "here it is read before 132 is written");
  EXPECT_EQ(Of("missing_second_barrier", 64),
            "thread (32,0,0) reads element 31 of tile, which thread (31,0,0) writes at line 28; "
            "here it is read after the write, as 195");
  EXPECT_EQ(Of("all_write_one", 64),
            "thread (32,0,0) writes last, which thread (31,0,0) writes at this line, with no "
            "__syncthreads() between; here 162 is written, and then 164");
}

// The two lanes belong to one store, so the values are still in registers and not in memory.
TEST_F(RaceText, NamesTheValuesOfOneStore) {
  EXPECT_EQ(Of("all_write_one", 32),
            "thread (1,0,0) writes last, which thread (0,0,0) writes at this line, with no "
            "__syncthreads() between; here 100 is written, and then 102");
  EXPECT_EQ(Of("all_write_the_same", 64),
            "thread (32,0,0) writes found, which thread (31,0,0) writes at this line, with no "
            "__syncthreads() between; the value is the same");
}

// Returns the hint of the first race of a kernel. If a barrier is missing after line 10 and before
// line 11, the text begins with "10-11 __syncthreads(): ".
class RaceRemedy : public RaceText {
 protected:
  static std::string Of(const std::string& name, std::uint32_t threads, std::uint32_t blocks = 1) {
    const auto findings = Run({name, {blocks, 1, 1}, {threads, 1, 1}, {}}, std::nullopt);
    if (findings.empty()) return "no race";
    const Finding& finding = findings.front();
    std::string gap;
    if (finding.gap) {
      gap = std::to_string(finding.gap->after.line) + "-" +
            std::to_string(finding.gap->before.line) + " " + finding.gap->barrier + ": ";
    }
    return gap + finding.hint;
  }
};

TEST_F(RaceRemedy, OfABlockIsABarrierBetweenTheLines) {
  EXPECT_EQ(Of("missing_barrier", 64),
            "10-11 __syncthreads(): put a __syncthreads() there, where all threads of the block "
            "reach it");
}

TEST_F(RaceRemedy, OfALoopIsABarrierAtItsEnd) {
  EXPECT_EQ(Of("missing_second_barrier", 64),
            "30-28 __syncthreads(): put a __syncthreads() at the end of the loop's body too, where "
            "all threads of the block reach it: without it the next iteration writes what others "
            "still read");
}

// Without a loop there is no next iteration, though a barrier stands between the two accesses.
TEST_F(RaceRemedy, OfBarriersOfTwoNumbersNamesNoLoop) {
  EXPECT_EQ(
      Of("barriers_of_two_numbers", 128),
      "no thread comes from one of the two accesses to the other: a thread that returns, or "
      "takes another branch, does not wait for those at the barrier. Let all threads reach the "
      "same __syncthreads() between the two");
}

TEST_F(RaceRemedy, OfOneElementForAllIsOneThread) {
  EXPECT_EQ(Of("all_write_one", 64),
            "let one thread write it (if (threadIdx.x == 0) ...), give each thread its own "
            "element, or combine the values with an atomic");
}

constexpr const char* kAtomic =
    "use atomicAdd() (or atomicMax(), atomicCAS(), ...): the line reads the element, changes it "
    "and writes it back, and another thread may do the same in between. A barrier does not help";

TEST_F(RaceRemedy, OfAnUpdateIsAnAtomic) {
  EXPECT_EQ(Of("counts_without_atomics", 64), kAtomic);
  EXPECT_EQ(Of("counts_without_atomics", 32), kAtomic);
  EXPECT_EQ(Of("adds_without_atomics", 32, 2), kAtomic);
}

TEST_F(RaceRemedy, OfAWarpIsASyncwarp) {
  EXPECT_EQ(Of("warps_without_syncwarp", 64),
            "580-581 __syncwarp(): put a __syncwarp() that all lanes reach between the two "
            "accesses: since Volta the lanes of a warp need not run in lockstep");
}

// A block of one warp gets the same hint, because larger blocks need the barrier of the block.
TEST_F(RaceRemedy, OfABlockOfOneWarpIsABarrierOfTheBlock) {
  EXPECT_EQ(Of("warp_without_syncwarp", 32),
            "482-483 __syncthreads(): put a __syncthreads() there, where all threads of the block "
            "reach it");
}

TEST_F(RaceRemedy, OfALockIsAFence) {
  EXPECT_EQ(
      Of("lock_without_a_fence", 32, 2),
      "put a __threadfence() before line 592, which releases the lock, and another after line 589, "
      "which takes it: without them the next owner of the lock may still read old data");
}

TEST_F(RaceRemedy, OfAVolatileReductionSaysSinceWhen) {
  EXPECT_EQ(Of("volatile_steps", 32),
            "492-493 __syncwarp(): put a __syncwarp() after every step: since Volta the lanes of a "
            "warp need not run in lockstep, even with volatile. A reduction of 32 values needs no "
            "shared memory, only __shfl_down_sync()");
}

TEST_F(RaceRemedy, OfALastBlockIsAFence) {
  EXPECT_EQ(Of("tells_without_a_fence", 32, 2),
            "put a __threadfence() between the write in line 500 and the atomic or flag in line "
            "501 that signals it to other blocks: without the fence they may see the flag, and "
            "still read old data");
}

// The gap is between lines of the kernel, not of the functions that it calls.
TEST_F(RaceRemedy, IsBetweenTheLinesOfTheKernel) {
  EXPECT_EQ(Of("through_helpers", 64),
            "511-512 __syncthreads(): put a __syncthreads() there, where all threads of the block "
            "reach it");
  const auto findings = Run({"through_helpers", {1, 1, 1}, {64, 1, 1}, {}}, std::nullopt);
  EXPECT_EQ(findings.at(0).where.line, 518);
  EXPECT_EQ(findings.at(0).caller.line, 512);
}

// Launches `blocks` blocks of 256 threads with the parameter `out`, and returns the findings.
auto FindingsOf(TestDevice& device, DeviceAddress out, std::uint32_t blocks) {
  EXPECT_EQ(device.Launch("k", {blocks, 1, 1}, {256, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.Findings();
}

// If the launch accesses more memory than the checker has shadow memory for, a finding says so.
TEST(RaceChecker, SaysWhereItStopsChecking) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  options.memory_bytes = std::uint64_t{1} << 30;
  TestDevice device(options);
  // Each thread reads the first word of a page of its own, and writes it.
  device.Load(SmallKernel(
      "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1; mul.wide.u32 %rd2, %r3, 4096; "
      "add.u64 %rd2, %rd1, %rd2; ld.global.u32 %r4, [%rd2]; st.global.u32 [%rd2], %r4;"));
  const std::uint64_t pages = 16'384 + 256;
  const DeviceAddress out = device.device->Allocate(pages * 4096).value();
  const auto launch = [&](std::uint32_t blocks) { return FindingsOf(device, out, blocks); };
  EXPECT_THAT(launch(65),
              testing::ElementsAre("race_limit: only the first 64 MiB that the launch touches were "
                                   "checked for races (a quarter of that for accesses of single "
                                   "bytes)"));
  EXPECT_THAT(launch(8), testing::IsEmpty());
}

TEST(RaceChecker, CountsAPageOfBytesFourTimes) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  TestDevice device(options);
  // Each thread writes the first byte of a page of its own.
  device.Load(
      SmallKernel("mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1; "
                  "mul.wide.u32 %rd2, %r3, 4096; add.u64 %rd2, %rd1, %rd2; "
                  "st.global.u8 [%rd2], %r3;"));
  const std::uint32_t most = ShadowPool::kMostPages / 4 / 256;  // the number of blocks
  const DeviceAddress out = device.device->Allocate(std::uint64_t{most + 1} * 256 * 4096).value();
  const auto launch = [&](std::uint32_t blocks) { return FindingsOf(device, out, blocks); };
  EXPECT_THAT(launch(most), testing::IsEmpty());
  EXPECT_THAT(launch(most + 1), testing::ElementsAre(testing::StartsWith("race_limit: ")));
}

// Each thread writes a flag of its own, and reads it.
constexpr char kFlagAThread[] =
    "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1; mul.wide.u32 %rd2, %r3, 4; "
    "add.u64 %rd2, %rd1, %rd2; st.release.gpu.global.u32 [%rd2], %r3; "
    "ld.acquire.gpu.global.u32 %r4, [%rd2];";

TEST(RaceChecker, KeepsSoManyFlags) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  TestDevice device(options);
  device.Load(SmallKernel(kFlagAThread));
  // So many blocks have as many flags as are kept: a thread of 256 writes one and reads one.
  const std::uint32_t most = RaceFlags::kMost / 2 / 256;
  const DeviceAddress out = device.device->Allocate(std::uint64_t{most + 1} * 256 * 4).value();
  const auto launch = [&](std::uint32_t blocks) { return FindingsOf(device, out, blocks); };
  EXPECT_THAT(launch(most), testing::IsEmpty());
  EXPECT_THAT(launch(most + 1),
              testing::ElementsAre("race_limit: the launch was checked for races only until it had "
                                   "written or read 524288 flags"));
}

// Each thread writes a volatile element of its own, and reads it.
constexpr char kVolatileOfAThread[] =
    "mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 256, %r1; mul.wide.u32 %rd2, %r3, 4; "
    "add.u64 %rd2, %rd1, %rd2; st.volatile.global.u32 [%rd2], %r3; "
    "ld.volatile.global.u32 %r4, [%rd2];";

TEST(RaceChecker, KeepsSoManySignals) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  TestDevice device(options);
  device.Load(SmallKernel(kVolatileOfAThread));
  // The number of blocks. Each write counts for its block, and until the block ends for its warp.
  const std::uint32_t most = RaceSignals::kMost / 256;
  const DeviceAddress out = device.device->Allocate(std::uint64_t{most + 1} * 256 * 4).value();
  const auto launch = [&](std::uint32_t blocks) { return FindingsOf(device, out, blocks); };
  EXPECT_THAT(launch(most - 4), testing::IsEmpty());
  EXPECT_THAT(launch(most + 1),
              testing::ElementsAre("race_limit: the launch was checked for missing fences only "
                                   "until 2097152 atomic or volatile accesses had told threads of "
                                   "each other"));
}

// A query goes through all flags that a block has read. This work must not cost the kernel any of
// its budget of instructions.
TEST(RaceChecker, TakesNothingFromTheBudget) {
  const auto left_by = [](bool find_races) {
    std::uint64_t budget = 100'000'000;
    Options options;
    if (find_races) options.checkers.push_back(CheckerNamed("races"));
    options.budget = &budget;
    TestDevice device(options);
    device.Load(SmallKernel(std::string(kFlagAThread) +
                            "xor.b32 %r3, %r3, 128; mul.wide.u32 %rd2, %r3, 4; "
                            "add.u64 %rd2, %rd1, %rd2; st.global.u32 [%rd2], %r3;"));
    const DeviceAddress out = device.device->Allocate(1024).value();
    EXPECT_EQ(device.Launch("k", {1, 1, 1}, {256, 1, 1}, Parameters().Add(out)),
              DeviceError::kSuccess);
    return budget;
  };
  EXPECT_EQ(left_by(true), left_by(false));
}

// The number of races is limited over all launches, so that a hundred launches take no longer than
// a few.
TEST(RaceChecker, FindsSoManyRaces) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  TestDevice device(options);
  std::string body;
  for (int i = 0; i < 100; ++i) body += "st.global.u32 [%rd1], %r1;";
  device.Load(SmallKernel(body));
  const DeviceAddress out = device.device->Allocate(4).value();
  std::vector<std::string> findings;
  int launches = 0;
  for (; launches < 100 && (findings.empty() || !findings.back().starts_with("race_limit"));
       ++launches) {
    findings = FindingsOf(device, out, 16);
  }
  EXPECT_EQ(findings.back(),
            "race_limit: the launches were checked for races only until 8388608 of them were "
            "found");
  EXPECT_EQ(FindingsOf(device, out, 16), std::vector{findings.back()});
  EXPECT_LT(launches, 50);
}

// Many unordered accesses among many flags would take too long, so the checker stops.
TEST(RaceChecker, EndsWhereItWouldTakeLongerThanTheKernel) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  TestDevice device(options);
  device.Load(SmallKernel(std::string(kFlagAThread) +
                          "mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd1, %rd2; "
                          "st.global.u32 [%rd2], %r3;"));
  const DeviceAddress out = device.device->Allocate(1U << 20).value();
  std::vector<std::string> findings;
  for (int launch = 0; launch < 40; ++launch) findings = FindingsOf(device, out, 256);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(
      findings.back(),
      "race_limit: only the first part of the launch was checked for races, because the check "
      "needed too many steps");
  EXPECT_TRUE(IsInformation(device.last().findings.back().kind));
}

}  // namespace
}  // namespace warpcheck::emulator
