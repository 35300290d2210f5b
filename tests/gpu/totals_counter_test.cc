#include <gmock/gmock.h>

#include <limits>

#include "gpu/cupti/launch_counter.h"
#include "gpu/cupti_fake.h"

namespace warpcheck::gpu {
namespace {

using testing::Contains;
using testing::HasSubstr;

class TotalsCounterTest : public testing::Test {
 protected:
  TotalsCounterTest() {
    fake_.counters = {{"smsp__sass_sectors_mem_global", 262144},
                      {"smsp__sass_inst_executed", 5e9},
                      {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", 7}};
    // Another GPU may lack what an H100 has.
    fake_.unknown_metrics = {"smsp__sass_inst_executed_op_texture"};
  }

  Result<LaunchCounts> Launch() {
    if (auto begun = counter_.Begin(); !begun) return Fail(begun.error());
    return counter_.End({});
  }
  std::string FailureOfLaunch() {
    const auto counts = Launch();
    return counts ? "" : counts.error().message;
  }

  CuptiFake fake_;
  TotalsCounter counter_{fake_.api, {}};
};

TEST_F(TotalsCounterTest, CountsEveryLaunch) {
  const auto first = Launch();
  ASSERT_TRUE(first) << first.error().Text();
  EXPECT_EQ(first->counters[Counter::kGlobalSectors], 262144U);
  EXPECT_EQ(first->counters[Counter::kWarpInstructions], 5000000000U);
  EXPECT_EQ(first->counters[Counter::kSharedWavefronts], 7U);
  EXPECT_EQ(first->counters[Counter::kBranchesDivergent], 0U);
  EXPECT_TRUE(first->lines.empty());

  fake_.counters["smsp__sass_sectors_mem_global"] = 3;
  const auto second = Launch();
  ASSERT_TRUE(second) << second.error().Text();
  EXPECT_EQ(second->counters[Counter::kGlobalSectors], 3U);
}

TEST_F(TotalsCounterTest, SetsNothingThatCuptiDoesNotCountAndNamesIt) {
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(counts->counters[Counter::kGlobalSectorsIdeal], std::nullopt);
  EXPECT_EQ(counts->counters[Counter::kSharedWavefrontsIdeal], std::nullopt);
  // These counters need single instructions, although CUPTI knows their metrics.
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadSectors], std::nullopt);
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadBytes], std::nullopt);
  // An H100 lacks all of these but texture_requests.
  EXPECT_EQ(counts->missing,
            "CUPTI's totals do not tell global_sectors_ideal, global_load_sectors, "
            "global_load_bytes, global_store_sectors, global_bytes, global_atomic_sectors, "
            "global_atomic_bytes, global_lanes, shared_wavefronts_ideal, shared_lanes, "
            "texture_requests, global_atomic_lanes");
  EXPECT_FALSE(fake_.poisoned);
}

TEST_F(TotalsCounterTest, FailsWhereCuptiKnowsNothing) {
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    fake_.unknown_metrics.emplace(Info(static_cast<Counter>(i)).metric);
  }
  const auto begun = counter_.Begin();
  ASSERT_FALSE(begun);
  EXPECT_THAT(begun.error().message,
              testing::StartsWith("counters cannot be read: CUPTI has no smsp__sass_"));
  EXPECT_THAT(begun.error().message, testing::EndsWith(" for GH100"));
  EXPECT_THAT(begun.error().hint, HasSubstr("CUDA Toolkit"));
}

TEST_F(TotalsCounterTest, HoldsTheCountersUntilItIsDestroyed) {
  {
    TotalsCounter counter(fake_.api, {});
    for (int launch = 0; launch < 3; ++launch) {
      ASSERT_TRUE(counter.Begin());
      ASSERT_TRUE(counter.End({}));
      EXPECT_TRUE(fake_.enabled);
    }
  }
  EXPECT_FALSE(fake_.enabled);
  EXPECT_EQ(std::count(fake_.calls.begin(), fake_.calls.end(), "cuptiRangeProfilerEnable"), 1);
}

TEST_F(TotalsCounterTest, WaitsForCountersThatAreInUse) {
  fake_.busy_starts = 3;
  EXPECT_EQ(FailureOfLaunch(), "");
  EXPECT_EQ(std::count(fake_.calls.begin(), fake_.calls.end(), "cuptiRangeProfilerStart"), 4);
}

TEST_F(TotalsCounterTest, WaitsOnceInVain) {
  fake_.busy_starts = std::numeric_limits<int>::max();
  RangeProfiler profiler(fake_.api, {}, std::chrono::milliseconds(30));
  ASSERT_TRUE(profiler.SetUp({"smsp__sass_inst_executed.sum"}));
  const auto started = profiler.Start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message,
            "counters cannot be read: the GPU's counters are in use by another program "
            "(cuptiRangeProfilerStart: CUPTI_ERROR_HARDWARE_BUSY, 26)");
  EXPECT_FALSE(fake_.enabled);

  fake_.calls.clear();
  EXPECT_FALSE(profiler.Start());
  EXPECT_EQ(std::count(fake_.calls.begin(), fake_.calls.end(), "cuptiRangeProfilerStart"), 1);
  fake_.busy_starts = 0;
  EXPECT_TRUE(profiler.Start());
}

TEST_F(TotalsCounterTest, LostRangesAreNotZeros) {
  fake_.ranges = 0;
  EXPECT_EQ(FailureOfLaunch(),
            "counters were lost: CUPTI recorded 0 ranges of one launch and dropped 0");
  fake_.ranges = 1;
  fake_.dropped_ranges = 2;
  EXPECT_EQ(FailureOfLaunch(),
            "counters were lost: CUPTI recorded 1 range of one launch and dropped 2");
  fake_.dropped_ranges = 0;
  EXPECT_EQ(FailureOfLaunch(), "");
}

TEST_F(TotalsCounterTest, LostValuesAreNotZeros) {
  fake_.counters["smsp__sass_sectors_mem_global"] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(FailureOfLaunch(),
            "counters were lost: CUPTI gives nan for smsp__sass_sectors_mem_global");
  fake_.counters.clear();
  EXPECT_EQ(FailureOfLaunch(), "counters were lost: CUPTI saw no instruction of the launch");
}

TEST_F(TotalsCounterTest, EndWithoutBeginIsAnError) {
  const auto counts = counter_.End({});
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().message, "counters cannot be read: recording was not started");
}

TEST_F(TotalsCounterTest, WhatKeepsItFromBeingSetUpIsFoundOutOnce) {
  fake_.failures["cuptiProfilerInitialize"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  const std::string why = FailureOfLaunch();
  EXPECT_THAT(why, HasSubstr("another profiler or debugger is at work"));
  EXPECT_EQ(FailureOfLaunch(), why);
  EXPECT_THAT(fake_.calls, testing::ElementsAre("cuptiProfilerInitialize"));
}

// Makes each of the functions that are called fail once.
class TotalsCounterFailures : public testing::TestWithParam<const char*> {};

TEST_P(TotalsCounterFailures, AreErrorsThatNameTheFunctionAndHoldNothing) {
  CuptiFake fake;
  fake.counters = {{"smsp__sass_inst_executed", 1}};
  fake.failures[GetParam()] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  {
    TotalsCounter counter(fake.api, {});
    for (int launch = 0; launch < 2; ++launch) {
      const auto begun = counter.Begin();
      const auto counts = begun ? counter.End({}) : tl::unexpected(begun.error());
      ASSERT_FALSE(counts);
      EXPECT_THAT(counts.error().message, HasSubstr(GetParam()));
      EXPECT_THAT(counts.error().message, HasSubstr("may not read the GPU's counters"));
      EXPECT_THAT(counts.error().hint, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
      EXPECT_FALSE(fake.enabled);
    }
  }
  EXPECT_THAT(fake.calls, Contains(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    , TotalsCounterFailures,
    testing::Values("cuptiProfilerInitialize", "cuptiDeviceGetChipName",
                    "cuptiProfilerHostInitialize", "cuptiProfilerHostGetMetricProperties",
                    "cuptiProfilerHostConfigAddMetrics", "cuptiProfilerHostGetConfigImageSize",
                    "cuptiProfilerHostGetConfigImage", "cuptiRangeProfilerEnable",
                    "cuptiRangeProfilerGetCounterDataSize",
                    "cuptiRangeProfilerCounterDataImageInitialize", "cuptiRangeProfilerSetConfig",
                    "cuptiRangeProfilerStart", "cuptiRangeProfilerStop",
                    "cuptiRangeProfilerDecodeData", "cuptiRangeProfilerGetCounterDataInfo",
                    "cuptiProfilerHostEvaluateToGpuValues"),
    [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace warpcheck::gpu
