#include "report/speed.h"

#include <gtest/gtest.h>

#include "grading/grade.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

CaseLaunch Timed(const std::string& kernel, double median_us) {
  CaseLaunch launch;
  LaunchRecord& record = launch.record;
  record.kernel = kernel;
  record.grid = {32, 32, 1};
  record.block = {32, 8, 1};
  record.counters.Set(Counter::kGlobalSectorsIdeal, 262'144);  // this is 8 MiB
  LaunchTiming& timing = record.timing.emplace();
  timing.median_us = median_us;
  timing.copy_bytes_per_second = 2e12;
  LaunchResources& resources = record.resources.emplace();
  resources.registers = 40;
  resources.occupancy = 0.75;
  return launch;
}

TEST(Speed, SaysHowFastAKernelWas) {
  ChecksReport report;
  report.launches = {Timed("tiled(float*)", 12.5)};
  const auto speeds = SlowestKernels(report, 4).kernels;
  ASSERT_EQ(speeds.size(), 1u);
  EXPECT_EQ(speeds[0].kernel, "tiled(float*), 32x32 blocks of 32x8");
  EXPECT_EQ(speeds[0].text,
            "12.5 us, 671.1 GB/s (34 % of a copy), occupancy 75 %, 40 registers, no spills");
  report.launches[0].record.resources->local_bytes = 64;
  report.launches[0].record.counters.Set(Counter::kLocalSectors, 9);
  EXPECT_EQ(SlowestKernels(report, 4).kernels[0].text,
            "12.5 us, 671.1 GB/s (34 % of a copy), occupancy 75 %, 40 registers, 64 bytes of local "
            "memory a thread (9 sectors moved)");
}

TEST(Speed, LeavesOutWhatWasNotMeasured) {
  ChecksReport report;
  report.launches = {Timed("k", 12.5)};
  report.launches[0].record.counters = {};
  report.launches[0].record.resources.reset();
  EXPECT_EQ(AchievedBandwidth(report.launches[0].record), std::nullopt);
  EXPECT_EQ(SlowestKernels(report, 4).kernels[0].text, "12.5 us");
  report.launches[0].record.timing.reset();
  EXPECT_TRUE(SlowestKernels(report, 4).kernels.empty());
}

TEST(Speed, NamesTheSlowestOfEachKindOnce) {
  ChecksReport report;
  report.launches = {Timed("a", 1), Timed("b", 3), Timed("a", 1), Timed("c", 2)};
  const auto speeds = SlowestKernels(report, 2).kernels;
  ASSERT_EQ(speeds.size(), 2u);
  EXPECT_TRUE(speeds[0].kernel.starts_with("b"));
  EXPECT_TRUE(speeds[1].kernel.starts_with("c"));
}

TEST(Speed, SaysWhatAGpuWouldHoldWhereNothingWasTimed) {
  ChecksReport report;
  report.launches = {Timed("a", 1), Timed("b", 3), Timed("a", 1)};
  for (CaseLaunch& launch : report.launches) launch.record.timing.reset();
  report.launches[1].record.resources->occupancy = 0.5;
  const Speeds speeds = SlowestKernels(report, 4);
  EXPECT_EQ(speeds.title,
            "How well its largest launches would fill a GPU (no points depend on it)");
  ASSERT_EQ(speeds.kernels.size(), 2u);
  EXPECT_EQ(speeds.kernels[0].kernel, "b, 32x32 blocks of 32x8");
  EXPECT_EQ(speeds.kernels[0].text, "occupancy 50 %, 40 registers, no spills");
  EXPECT_TRUE(speeds.kernels[1].kernel.starts_with("a"));
}

// Returns a launch on the emulator whose bound is `wavefronts` of shared memory a multiprocessor.
CaseLaunch Bounded(std::uint64_t wavefronts) {
  CaseLaunch launch = Timed("tiled(float*)", 1);
  LaunchRecord& record = launch.record;
  record.timing.reset();
  constexpr std::uint64_t kMultiprocessors = 132;
  record.counters.Set(Counter::kWarpInstructions, 4 * kMultiprocessors);
  record.counters.Set(Counter::kSharedWavefronts, kMultiprocessors * wavefronts);
  record.counters.Set(Counter::kSharedWavefrontsIdeal, kMultiprocessors * wavefronts / 4);
  record.needs = LaunchNeeds{.target = 90, .active_blocks = 6};
  return launch;
}

TEST(Speed, SaysWhatLikelyLimitsTheLargestLaunchOfAKernel) {
  Grade grade;
  grade.score = Points::FromHundredths(6000);
  grade.max_score = Points::FromHundredths(10000);
  ChecksReport& report = grade.attempt.report;
  report.launches = {Bounded(100), Bounded(80'000), Bounded(200)};
  report.launches[1].record.grid = {770, 1, 1};
  const auto speeds = SlowestKernels(report, 4).kernels;
  ASSERT_EQ(speeds.size(), 1U);
  EXPECT_EQ(speeds[0].kernel, "tiled(float*), 770 blocks of 32x8");
  EXPECT_EQ(speeds[0].limits.limiter,
            "Likely limiter (by arithmetic, not measured): shared memory.");
  EXPECT_EQ(speeds[0].limits.advice,
            "To do next: bank conflicts cause 4.0 times as many wavefronts as needed; change the "
            "spacing of rows or the order of lanes.");
  const std::string text = TerminalReport(grade, {});
  EXPECT_NE(text.find("    Likely limiter (by arithmetic, not measured): shared memory."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    To do next: bank conflicts cause 4.0 times"), std::string::npos) << text;
  const std::string json = JsonReport(grade);
  for (const char* part : {"\"likely\": \"shared_memory\"", "\"of_work\": \"shared_memory\"",
                           "\"shared_memory\": 80000.0", "\"likely\": \"launch\""}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
  }
}

TEST(Speed, AdvisesNothingAtNoPointsAndAfterFullMarks) {
  Grade grade;
  grade.attempt.report.launches = {Bounded(80'000)};
  grade.max_score = Points::FromHundredths(10000);
  EXPECT_TRUE(SpeedsOf(grade, 4).kernels.empty());
  grade.score = grade.max_score;
  EXPECT_TRUE(SpeedsOf(grade, 4).kernels.empty());
  grade.score = Points::FromHundredths(6000);
  ASSERT_EQ(SpeedsOf(grade, 4).kernels.size(), 1U);
  EXPECT_NE(SpeedsOf(grade, 4).kernels[0].limits.advice, "");
  // Nothing was counted that better accesses would save.
  grade.attempt.report.launches[0].record.counters.Set(Counter::kSharedWavefrontsIdeal,
                                                       std::uint64_t{132} * 80'000);
  EXPECT_EQ(SpeedsOf(grade, 4).kernels[0].limits.advice, "");
}

TEST(Speed, DoesNotGuessAtTheLimiterOfALaunchOnAGpu) {
  ChecksReport report;
  report.launches = {Timed("a", 1)};
  EXPECT_EQ(SlowestKernels(report, 4).kernels[0].limits.limiter, "");
  Grade grade;
  grade.attempt.report = report;
  EXPECT_EQ(JsonReport(grade).find("limiter"), std::string::npos);
}

TEST(Speed, IsInTheReports) {
  Grade grade;
  grade.attempt.device = "gpu";
  grade.attempt.device_remark = "a remark";
  grade.attempt.report.device_name = "NVIDIA H200";
  grade.attempt.report.launches = {Timed("tiled(float*)", 12.5)};
  grade.attempt.report.launches[0].record.not_measured = "not allowed";
  const std::string text = TerminalReport(grade, {});
  EXPECT_NE(text.find("NVIDIA H200, seed 0\na remark\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  tiled(float*), 32x32 blocks of 32x8\n    12.5 us, 671.1 GB/s"),
            std::string::npos)
      << text;
  const std::string json = JsonReport(grade);
  for (const char* part :
       {"\"device_name\": \"NVIDIA H200\"", "\"device_remark\": \"a remark\"",
        "\"median_us\": 12.5", "\"occupancy\": 0.75", "\"not_measured\": \"not allowed\"",
        "\"bytes_per_second\": 671088640"}) {
    EXPECT_NE(json.find(part), std::string::npos) << part << "\n" << json;
  }
}

}  // namespace
}  // namespace warpcheck
