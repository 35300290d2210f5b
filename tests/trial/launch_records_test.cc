// Tests which records of many launches go into the results file.
#include "trial/launch_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "device/record_json.h"

namespace warpcheck {
namespace {

LaunchRecord Launch(const std::string& kernel, int lines) {
  LaunchRecord record;
  record.kernel = kernel;
  record.grid = {.x = 2, .y = 1, .z = 1};
  for (std::size_t i = 0; i < kCounterCount; ++i) record.counters.Set(static_cast<Counter>(i), 0);
  for (int line = 1; line <= lines; ++line) {
    LineCounters& counters = record.lines.emplace_back();
    counters.where = {.file = "t.cu", .line = line};
    for (std::size_t i = 0; i < kCounterCount; ++i) {
      counters.counters.Set(static_cast<Counter>(i), 3);
    }
    record.counters += counters.counters;
  }
  return record;
}

std::uint64_t SectorsOf(const std::vector<LaunchRecord>& launches) {
  std::uint64_t sectors = 0;
  for (const LaunchRecord& launch : launches) {
    sectors += launch.counters[Counter::kGlobalSectors].value();
  }
  return sectors;
}

std::uint64_t SectorsOfLines(const std::vector<LaunchRecord>& launches) {
  std::uint64_t sectors = 0;
  for (const LaunchRecord& launch : launches) {
    for (const LineCounters& line : launch.lines) {
      sectors += line.counters[Counter::kGlobalSectors].value();
    }
  }
  return sectors;
}

TEST(LaunchRecords, AreTheLaunchesWhereThereIsRoom) {
  LaunchRecords records;
  const std::vector<LaunchRecord> launches(100, Launch("k", 5));
  EXPECT_EQ(records.Take(launches), 100U);
  EXPECT_EQ(LaunchRecords::Written(launches, 100), launches);
}

TEST(LaunchRecords, SumWhatHasNoRoom) {
  LaunchRecords records;
  std::vector<LaunchRecord> launches(20'000, Launch("k", 10));
  const std::size_t alone = records.Take(launches);
  EXPECT_GT(alone, 1'000U);
  EXPECT_LT(alone, 20'000U);
  const auto written = LaunchRecords::Written(launches, alone);
  ASSERT_EQ(written.size(), alone + 1);
  EXPECT_EQ(written.back().kernel, "k");
  EXPECT_EQ(written.back().grid, launches[0].grid);
  EXPECT_EQ(SectorsOf(written), 20'000U * 10 * 3);
  EXPECT_EQ(SectorsOfLines(written), 20'000U * 10 * 3);
  // There is no space left for the next call.
  launches.resize(2);
  launches[1].kernel = "other";
  launches[1].grid.x = 7;
  EXPECT_EQ(records.Take(launches), 0U);
  const auto last = LaunchRecords::Written(launches, 0);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].kernel, "2 launches of several kernels");
  EXPECT_EQ(SectorsOf(last), 2U * 10 * 3);
}

TEST(LaunchRecords, HoldABoundedNumberOfLinesAndFindings) {
  LaunchRecords records;
  std::vector<LaunchRecord> launches(1, Launch("k", 50'000));
  Finding finding;
  finding.message = "reads";
  launches[0].findings.assign(5'000, finding);
  EXPECT_EQ(records.Take(launches), 0U);
  const auto written = LaunchRecords::Written(launches, 0);
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0].lines.size(), LaunchRecords::kMostLines);
  EXPECT_EQ(written[0].lines[0].where, SourceLocation());
  EXPECT_EQ(SectorsOfLines(written), 50'000U * 3);
  ASSERT_EQ(written[0].findings.size(), LaunchRecords::kMostFindings + 1);
  EXPECT_EQ(written[0].findings.back().message, "not listed: 4,900 further findings");
}

// A call writes a bounded number of bytes, however many kernels it launches.
TEST(LaunchRecords, TakeNoMoreRoomThanTheySay) {
  LaunchRecords records;
  std::size_t bytes = 0;
  for (const int lines : {900, 1, 100, 40'000}) {
    const std::vector<LaunchRecord> launches(lines == 40'000 ? 2 : 3'000,
                                             Launch(std::string(2'000, 'k'), lines));
    for (const LaunchRecord& one : LaunchRecords::Written(launches, records.Take(launches))) {
      bytes += ToJson(one).dump().size();
    }
  }
  EXPECT_GT(bytes, LaunchRecords::kMostBytes / 4);
  EXPECT_LT(bytes, LaunchRecords::kMostBytes * 5 / 4);
}

}  // namespace
}  // namespace warpcheck
