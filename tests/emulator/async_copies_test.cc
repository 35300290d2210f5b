// Tests races with asynchronous copies. Each kernel of data/async_copies.cu uses memory of a copy
// too early at the lines that say so, and nowhere else, in any order of warps.
#include <gmock/gmock.h>

#include "emulator/speaking_kernels.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

constexpr const char* kSource = "async_copies.cu";

Options WithOrder(std::uint64_t seed) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  if (seed != 0) options.order_seed = seed;
  return options;
}

class AsyncCopies : public testing::TestWithParam<SpeakingKernel> {};

TEST_P(AsyncCopies, AreWaitedForOrFound) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Spoken spoken = Speak(kSource, GetParam(), WithOrder(seed));
    EXPECT_EQ(LinesOf(spoken.findings), GetParam().expected) << "with seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, AsyncCopies,
                         testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/async_copies.cu")),
                         [](const testing::TestParamInfo<SpeakingKernel>& kernel) {
                           return kernel.param.name;
                         });

std::string TextOf(const std::string& name) {
  const Spoken spoken = Speak(kSource, {name, {1, 1, 1}, {64, 1, 1}, {}}, WithOrder(0));
  return spoken.findings.empty() ? "nothing" : spoken.findings.front().message;
}

TEST(AsyncCopyText, NamesTheCopyInFlight) {
  EXPECT_EQ(TextOf("does_not_wait"),
            "thread (0,0,0) reads element 0 of tile, which an asynchronous copy of "
            "thread (0,0,0) writes at line 37, before any thread has waited for the copy");
  EXPECT_EQ(TextOf("overwrites_the_source"),
            "an asynchronous copy of thread (0,0,0) reads element 0 of the 65,536-byte array of "
            "the kernel's 1st parameter, which thread (0,0,0) writes at line 191, "
            "before any thread has waited for the copy");
}

// Returns the call that is missing, in terms of the interface that started the copy.
std::string MissingIn(const std::string& name) {
  const Spoken spoken = Speak(kSource, {name, {1, 1, 1}, {64, 1, 1}, {}}, WithOrder(0));
  if (spoken.findings.empty()) return "nothing";
  const Finding& finding = spoken.findings.front();
  return finding.gap ? finding.gap->barrier : finding.message;
}

TEST(AsyncCopyText, NamesTheCallThatIsMissing) {
  EXPECT_EQ(MissingIn("does_not_wait"), "__pipeline_wait_prior(0)");
  EXPECT_EQ(MissingIn("forgets_to_commit"), "__pipeline_commit()");
  EXPECT_EQ(MissingIn("pipeline_without_its_wait"), "pipe.consumer_wait()");
  EXPECT_EQ(MissingIn("copy_at_a_barrier_nobody_waits_at"), "barrier.wait(token)");
  EXPECT_EQ(MissingIn("bulk_load_without_wait"), "mbarrier.try_wait");
  EXPECT_EQ(MissingIn("bulk_store_read_back"), "cp.async.bulk.wait_group 0");
}

TEST(AsyncCopyText, TellsHowManyGroupsMayStayInFlight) {
  const Spoken spoken =
      Speak(kSource, {"leaves_one_group", {1, 1, 1}, {64, 1, 1}, {}}, WithOrder(0));
  ASSERT_FALSE(spoken.findings.empty());
  EXPECT_THAT(spoken.findings.front().hint,
              testing::HasSubstr("wait with __pipeline_wait_prior(0) here"));
}

// Either the copy or the other thread's read is the second access.
TEST(AsyncCopyText, TellsWhereTheBarrierBelongsInAnyOrderOfWarps) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Spoken spoken =
        Speak(kSource, {"waits_without_a_barrier", {1, 1, 1}, {64, 1, 1}, {}}, WithOrder(seed));
    ASSERT_FALSE(spoken.findings.empty()) << "with seed " << seed;
    EXPECT_EQ(spoken.findings.front().hint,
              "put a __syncthreads() there, after the wait for the copies: each thread waits only "
              "for its own copies")
        << "with seed " << seed;
  }
}

TEST(AsyncCopyText, TellsThatAStageIsStillRead) {
  const Spoken spoken =
      Speak(kSource, {"fills_too_early", {1, 1, 1}, {64, 1, 1}, {}}, WithOrder(0));
  ASSERT_FALSE(spoken.findings.empty());
  EXPECT_THAT(spoken.findings.front().hint,
              testing::StartsWith("put a __syncthreads() behind the last read of a stage"));
}

// The thread of the copy is unknown after the copy has completed.
TEST(AsyncCopyText, NamesTheBarrierThatIsMissingAfterTheWait) {
  EXPECT_EQ(
      TextOf("bulk_load_waited_for_by_one"),
      "thread (32,0,0) reads element 31 of tile, which an asynchronous copy writes at line 460");
}

// Returns the requests of two warps that run `body`. In it, %r2 is the address of a lane in shared
// memory.
std::optional<std::uint64_t> CopyRequests(std::string_view body) {
  constexpr std::string_view kPlaces =
      "mov.u32 %r3, shared_memory; shl.b32 %r4, %r1, 2; add.u32 %r2, %r3, %r4;"
      "cvt.u64.u32 %rd2, %r4; add.u64 %rd2, %rd1, %rd2;";
  TestDevice device;
  device.Load(SmallKernel(std::string(kPlaces) + std::string(body),
                          ".shared .align 16 .b8 shared_memory[256];\n"));
  const DeviceAddress out = device.Upload(std::vector<std::uint64_t>(64));
  EXPECT_EQ(device.Launch("k", {1, 1, 1}, {64, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  return device.last().counters[Counter::kAsyncCopyRequests];
}

// ncu 2025.3 counted the same requests (smsp__sass_inst_executed_op_ldgsts) on an H100: a warp
// without active lanes makes no request, but a warp whose lanes all copy nothing does.
TEST(AsyncCopyRequests, AreWarpsWithAnActiveLane) {
  EXPECT_EQ(CopyRequests("cp.async.ca.shared.global [%r2], [%rd2], 4;"), 2U);
  EXPECT_EQ(CopyRequests("and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0;"
                         "@%p1 cp.async.ca.shared.global [%r2], [%rd2], 4;"),
            2U);
  EXPECT_EQ(CopyRequests("cp.async.ca.shared.global [%r2], [%rd2], 4, 0;"), 2U);
  EXPECT_EQ(CopyRequests("setp.lt.u32 %p1, %r1, 32;"
                         "@%p1 cp.async.ca.shared.global [%r2], [%rd2], 4;"),
            1U);
  EXPECT_EQ(CopyRequests("ld.global.u32 %r5, [%rd2]; st.shared.u32 [%r2], %r5;"), 0U);
}

}  // namespace
}  // namespace warpcheck::emulator
