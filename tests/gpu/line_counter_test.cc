#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gpu/cupti/launch_counter.h"
#include "gpu/cupti_fake.h"

namespace warpcheck::gpu {
namespace {

using testing::HasSubstr;

class LineCounterTest : public testing::Test {
 protected:
  // Adds an instruction of `function` with these metrics. If the metrics do not say how often it is
  // executed, it is executed once.
  void Add(const std::string& function, std::uint32_t offset,
           const std::map<std::string, std::uint64_t>& metrics) {
    fake_.records.push_back({function, offset, "smsp__sass_inst_executed", 1});
    for (const auto& [metric, value] : metrics) {
      fake_.records.push_back({function, offset, "smsp__sass_" + metric, value});
    }
  }
  void Add(std::uint32_t offset, const std::map<std::string, std::uint64_t>& metrics) {
    Add("k", offset, metrics);
  }
  void At(std::uint32_t offset, std::uint32_t line) {
    fake_.places[{"k", offset}] = {"dir", "k.cu", line};
  }

  Result<LaunchCounts> Launch() {
    if (auto begun = counter_.Begin(); !begun) return Fail(begun.error());
    return counter_.End(image_);
  }
  std::string FailureOfLaunch() {
    const auto counts = Launch();
    return counts ? "" : counts.error().message;
  }

  const std::byte cubin_[4] = {};
  const KernelImage image_{cubin_, "k"};
  CuptiFake fake_;
  LineCounter counter_{fake_.api, {}};
};

std::string Lines(const LaunchCounts& counts, Counter counter) {
  std::string text;
  for (const LineCounters& line : counts.lines) {
    const auto value = line.counters[counter];
    text += fmt::format("{}={} ", line.where.Text(), value ? std::to_string(*value) : "-");
  }
  return text;
}

TEST_F(LineCounterTest, AddsUpTheInstructionsOfALine) {
  At(0x00, 9);
  At(0x10, 8);
  At(0x20, 9);
  Add(0x20, {{"sectors_mem_global", 4}, {"inst_executed", 10}});
  Add(0x10, {{"sectors_mem_global", 32}});
  Add(0x00, {{"sectors_mem_global", 1}, {"sectors_mem_global_ideal", 1}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(Lines(*counts, Counter::kGlobalSectors), "dir/k.cu:8=32 dir/k.cu:9=5 ");
  EXPECT_EQ(Lines(*counts, Counter::kWarpInstructions), "dir/k.cu:8=1 dir/k.cu:9=12 ");
  EXPECT_EQ(counts->counters[Counter::kGlobalSectors], 37U);
  EXPECT_EQ(counts->counters[Counter::kGlobalSectorsIdeal], 1U);
  EXPECT_EQ(counts->missing, "");
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    EXPECT_EQ(counts->counters[counter].has_value(), !Info(counter).metric.empty()) << i;
  }
}

TEST_F(LineCounterTest, TellsLoadsFromStoresOfTheSameLine) {
  At(0x00, 9);
  At(0x10, 9);
  At(0x20, 9);
  Add(0x00, {{"sectors_mem_global", 16},
             {"inst_executed_op_global_ld", 1},
             {"inst_executed_op_memory_128b", 1},
             {"thread_inst_executed_op_global_pred_on", 32}});
  Add(0x10, {{"sectors_mem_global", 3},
             {"inst_executed_op_global_ld", 1},
             {"inst_executed_op_memory_8b", 1},
             {"thread_inst_executed_op_global_pred_on", 5}});
  Add(0x20, {{"sectors_mem_global", 4},
             {"inst_executed_op_global_st", 1},
             {"inst_executed_op_memory_32b", 1},
             {"thread_inst_executed_op_global_pred_on", 31}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(counts->counters[Counter::kGlobalSectors], 23U);
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadSectors], 19U);
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadBytes], 32U * 16 + 5);
  EXPECT_EQ(counts->counters[Counter::kGlobalLanes], 68U);
}

TEST_F(LineCounterTest, LoadsOfUnknownWidthHaveNoBytes) {
  At(0x00, 9);
  Add(0x00, {{"inst_executed_op_global_ld", 1}, {"thread_inst_executed_op_global_pred_on", 32}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadBytes], std::nullopt);
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadRequests], 1U);
  EXPECT_EQ(counts->missing,
            "CUPTI's SASS metrics do not tell global_load_bytes, global_bytes on this GPU");
}

// An H200 counted this for a copy of 4 bytes by 20 lanes, and for the store in the next line.
TEST_F(LineCounterTest, CopiesToSharedMemoryAreLoadsWhoseBytesAreNotTold) {
  At(0x00, 8);
  At(0x10, 9);
  Add(0x00, {{"sectors_mem_global", 3},
             {"inst_executed_op_ldgsts", 1},
             {"inst_executed_op_memory_32b", 1}});
  Add(0x10, {{"sectors_mem_global", 4},
             {"inst_executed_op_global_st", 1},
             {"inst_executed_op_memory_32b", 1},
             {"thread_inst_executed_op_global_pred_on", 32}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(counts->counters[Counter::kGlobalSectors], 7U);
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadSectors], 3U);
  EXPECT_EQ(counts->counters[Counter::kGlobalStoreSectors], 4U);
  EXPECT_EQ(counts->counters[Counter::kAsyncCopyRequests], 1U);
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadRequests], 0U);
  EXPECT_EQ(counts->counters[Counter::kGlobalLanes], 32U);
  EXPECT_EQ(Lines(*counts, Counter::kGlobalBytes), "dir/k.cu:8=- dir/k.cu:9=128 ");
  EXPECT_EQ(counts->missing,
            "CUPTI's SASS metrics do not tell global_load_bytes, global_bytes on this GPU");
}

TEST_F(LineCounterTest, CodeWithoutALineBelongsToTheOneBeforeInItsFunction) {
  Add("f", 0x00, {{"sectors_mem_local", 1}});
  Add("f", 0x10, {{"sectors_mem_local", 2}});
  fake_.places[{"f", 0x10}] = {"", "f.cuh", 3};
  Add("f", 0x20, {{"sectors_mem_local", 4}});
  Add("k", 0x00, {{"sectors_mem_local", 8}});
  At(0x10, 7);
  Add("k", 0x10, {{"sectors_mem_local", 16}});
  Add("k", 0x20, {{"sectors_mem_local", 32}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(Lines(*counts, Counter::kLocalSectors), "=9 dir/k.cu:7=48 f.cuh:3=6 ");
}

TEST_F(LineCounterTest, FilesAreNamedAsInThePtx) {
  const CuptiFake::Place places[] = {
      {"", "a.cu", 1}, {"/", "b.cu", 1}, {"/x", "c.cu", 1}, {"..", "d.cu", 1}};
  std::uint32_t offset = 0;
  for (const CuptiFake::Place& place : places) {
    fake_.places[{"k", offset}] = place;
    Add(offset, {});
    offset += 16;
  }
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(Lines(*counts, Counter::kWarpInstructions),
            "../d.cu:1=1 /b.cu:1=1 /x/c.cu:1=1 a.cu:1=1 ");
}

TEST_F(LineCounterTest, LinesOfZerosAreLeftOut) {
  At(0x00, 1);
  At(0x10, 2);
  Add(0x00, {});
  fake_.records.push_back({"k", 0x10, "smsp__sass_inst_executed", 0});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(Lines(*counts, Counter::kWarpInstructions), "dir/k.cu:1=1 ");
}

TEST_F(LineCounterTest, RecordsWithoutANameAreTheKernels) {
  At(0x00, 4);
  Add("", 0x00, {});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(Lines(*counts, Counter::kWarpInstructions), "dir/k.cu:4=1 ");
}

TEST_F(LineCounterTest, UnknownMetricsLeaveTheirCountersUnset) {
  fake_.unknown_metrics = {"smsp__sass_inst_executed_op_global_ld", "smsp__sass_sectors_mem_local"};
  At(0x00, 1);
  Add(0x00, {{"sectors_mem_global", 4}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(counts->counters[Counter::kGlobalSectors], 4U);
  EXPECT_EQ(counts->lines[0].counters[Counter::kLocalSectors], std::nullopt);
  EXPECT_EQ(counts->missing,
            "CUPTI's SASS metrics do not tell global_load_sectors, global_load_bytes, "
            "global_load_requests, local_sectors on this GPU");
}

TEST_F(LineCounterTest, CountsAtomicsApart) {
  At(0x00, 1);
  Add(0x00, {{"sectors_mem_global", 8},
             {"inst_executed_op_global", 1},
             {"inst_executed_op_global_atom", 1},
             {"inst_executed_op_memory_64b", 1},
             {"thread_inst_executed_op_global_pred_on", 31}});
  Add(0x10, {{"sectors_mem_global", 4},
             {"inst_executed_op_global", 1},
             {"inst_executed_op_global_red", 1},
             {"inst_executed_op_memory_32b", 1},
             {"thread_inst_executed_op_global_pred_on", 32}});
  Add(0x20, {{"inst_executed_op_shared_atom", 1}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(counts->counters[Counter::kGlobalSectors], 12U);
  EXPECT_EQ(counts->counters[Counter::kGlobalLoadSectors], 0U);
  EXPECT_EQ(counts->counters[Counter::kGlobalAtomicRequests], 1U);
  EXPECT_EQ(counts->counters[Counter::kGlobalReductionRequests], 1U);
  EXPECT_EQ(counts->counters[Counter::kGlobalAtomicSectors], 8U);
  EXPECT_EQ(counts->counters[Counter::kGlobalAtomicBytes], 31U * 8);
  EXPECT_EQ(counts->counters[Counter::kSharedAtomicRequests], 1U);
}

TEST_F(LineCounterTest, AtomicsOfAGpuThatDoesNotTellThemAreNotMeasured) {
  fake_.unknown_metrics = {"smsp__sass_inst_executed_op_global_atom"};
  At(0x00, 1);
  Add(0x00, {{"sectors_mem_global", 4}, {"inst_executed_op_global_red", 1}});
  const auto counts = Launch();
  ASSERT_TRUE(counts) << counts.error().Text();
  EXPECT_EQ(counts->counters[Counter::kGlobalReductionRequests], 1U);
  EXPECT_EQ(counts->missing,
            "CUPTI's SASS metrics do not tell global_atomic_sectors, global_atomic_bytes, "
            "global_atomic_requests, global_atomic_lanes on this GPU");
}

TEST_F(LineCounterTest, AnUnknownChipIsNamed) {
  fake_.chip = "GX999";
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    fake_.unknown_metrics.emplace(Info(static_cast<Counter>(i)).metric);
  }
  for (const AccessWidth& width : AccessWidths()) fake_.unknown_metrics.emplace(width.metric);
  fake_.unknown_metrics.insert(
      {"smsp__sass_inst_executed_op_ldgsts", "smsp__sass_thread_inst_executed_op_memory_pred_on"});
  EXPECT_THAT(FailureOfLaunch(), testing::EndsWith(" for GX999"));
}

TEST_F(LineCounterTest, LostRecordsAreNotZeros) {
  EXPECT_EQ(FailureOfLaunch(), "counters were lost: CUPTI recorded no instruction of the launch");
}

TEST_F(LineCounterTest, DroppedRecordsAreNotZeros) {
  Add(0x00, {});
  fake_.dropped_records = 5;
  EXPECT_EQ(FailureOfLaunch(), "counters were lost: CUPTI dropped 5 records of the launch");
}

TEST_F(LineCounterTest, RecordsOfNothingAreNotZeros) {
  fake_.records.push_back({"k", 0x00, "smsp__sass_inst_executed", 0});
  EXPECT_EQ(FailureOfLaunch(), "counters were lost: every record of the launch is zero");
}

constexpr const char* kUsedUp =
    "counters cannot be read: CUPTI can count the lines of only one launch in each process, and "
    "this "
    "process has counted one";

TEST_F(LineCounterTest, CountsOneLaunchAProcess) {
  Add(0x00, {});
  EXPECT_EQ(FailureOfLaunch(), "");
  EXPECT_EQ(FailureOfLaunch(), kUsedUp);
  LineCounter second(fake_.api, {});
  const auto begun = second.Begin();
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().message, kUsedUp);
}

TEST_F(LineCounterTest, EndWithoutBeginIsAnError) {
  const auto counts = counter_.End(image_);
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().message, "counters cannot be read: recording was not started");
}

TEST_F(LineCounterTest, NothingStaysOnWithoutAnEnd) {
  {
    LineCounter counter(fake_.api, {});
    ASSERT_TRUE(counter.Begin());
    EXPECT_TRUE(fake_.recording);
  }
  EXPECT_FALSE(fake_.recording);
  EXPECT_FALSE(fake_.configured);
}

class LineCounterFailures : public testing::TestWithParam<const char*> {};

TEST_P(LineCounterFailures, AreErrorsThatNameTheFunctionAndLeaveNothingOn) {
  CuptiFake fake;
  fake.records = {{"k", 0, "smsp__sass_inst_executed", 1}};
  fake.failures[GetParam()] = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  {
    const std::byte cubin[4] = {};
    LineCounter counter(fake.api, {});
    const auto begun = counter.Begin();
    const auto counts = begun ? counter.End({cubin, "k"}) : tl::unexpected(begun.error());
    ASSERT_FALSE(counts);
    EXPECT_THAT(counts.error().message, HasSubstr(GetParam()));
    EXPECT_THAT(counts.error().hint, HasSubstr("CAP_SYS_ADMIN"));
    fake.failures.clear();
    EXPECT_FALSE(counter.End({cubin, "k"}));
  }
  EXPECT_FALSE(fake.configured);
}

INSTANTIATE_TEST_SUITE_P(, LineCounterFailures,
                         testing::Values("cuptiProfilerInitialize", "cuptiDeviceGetChipName",
                                         "cuptiSassMetricsGetProperties",
                                         "cuptiSassMetricsSetConfig", "cuptiSassMetricsEnable",
                                         "cuptiSassMetricsGetDataProperties",
                                         "cuptiSassMetricsFlushData", "cuptiSassMetricsDisable",
                                         "cuptiGetSassToSourceCorrelation"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace warpcheck::gpu
