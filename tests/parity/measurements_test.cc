#include "proof/parity/measurements.h"

#include <gmock/gmock.h>

namespace warpcheck::parity {
namespace {

using testing::StartsWith;

LaunchRecord Record() {
  LaunchRecord record;
  record.kernel = "k(float const*, float*)";
  record.grid = {2, 3, 1};
  record.block = {32, 8, 1};
  LineCounters line;
  line.where = {.file = "k.cu", .line = 7};
  line.counters.Set(Counter::kGlobalSectors, 8);
  line.counters.Set(Counter::kGlobalSectorsIdeal, 4);
  line.counters.Set(Counter::kWarpInstructions, 100);
  record.lines.push_back(line);
  line.where.line = 8;
  line.counters = {};
  line.counters.Set(Counter::kWarpInstructions, 5);
  record.lines.push_back(line);
  return record;
}

// Makes a line of the file with these columns. The other columns have no value.
std::string Columns(std::string text, std::size_t given, std::size_t columns = kCompared.size()) {
  for (std::size_t i = given; i < columns; ++i) text += " -";
  return text;
}

TEST(Measurements, KeepWhatIsComparedAndSurviveTheirFile) {
  Measurements measurements{"NVIDIA H200", {FromRecord("a.cu", "Case/1", 2, Record())}};
  LaunchRecord failed = Record();
  failed.error = DeviceError::kIllegalAddress;
  measurements.launches.push_back(FromRecord("b.cu", "Case/1", 0, failed));
  const std::string text = ToText(measurements);
  std::string counters = "counters";
  for (const Counter counter : kCompared) counters += " " + std::string(Info(counter).name);
  EXPECT_THAT(counters, StartsWith("counters global_sectors global_sectors_ideal "));
  EXPECT_EQ(text,
            "warpcheck parity 1\n"
            "device NVIDIA H200\n" +
                counters +
                "\n\n"
                "launch a.cu Case/1 #2 2x3x1 32x8x1 k(float const*, float*)\n" +
                Columns("  k.cu:7 8 4", 2) +
                "\n\n"
                "launch b.cu Case/1 #0 2x3x1 32x8x1 k(float const*, float*)\n"
                "  not counted: cudaErrorIllegalAddress\n");
  const auto read = ParseMeasurements(text, "m.txt");
  ASSERT_TRUE(read) << read.error().Text();
  EXPECT_EQ(*read, measurements);
}

TEST(Measurements, SayWhyALaunchWasNotMeasured) {
  LaunchRecord record = Record();
  record.not_measured = "another profiler is at work\nend it";
  EXPECT_EQ(FromRecord("a.cu", "c", 0, record).not_counted, "");  // some counters were measured
  record.lines.clear();
  EXPECT_EQ(FromRecord("a.cu", "c", 0, record).not_counted, "another profiler is at work");
}

TEST(Measurements, AreRefusedWithThePlace) {
  const std::string head = "warpcheck parity 1\ndevice D\n";
  const auto error = [](const std::string& text) {
    const auto read = ParseMeasurements(text, "m.txt");
    return read ? std::string("none") : read.error().Text();
  };
  EXPECT_EQ(error(""), "error: the file of measurements is empty: m.txt");
  EXPECT_EQ(error("{}\n"),
            "m.txt:1: error: this is no file of measurements: it does not begin with "
            "\"warpcheck parity 1\"\n  `warpcheck parity --write FILE` makes one");
  EXPECT_EQ(error(head + "counters time\n"),
            "m.txt:3: error: the file has other counters than this version compares\n"
            "  measure again with `warpcheck parity --write FILE`");
  const std::string wrong = "m.txt:3: error: expected a launch, or a source line with its counts";
  for (const std::string& line :
       {Columns("  k.cu:7 8 4", 2), std::string("launch a.cu c #x 1x1x1 1x1x1 k()"),
        std::string("launch a.cu c #0 1x1 1x1x1 k()"), std::string("launch a.cu c #0 1x1x1 1x1x1"),
        std::string("launch a.cu c #0 1x1x1 1x1x1x1 k()"), std::string("nonsense")}) {
    EXPECT_EQ(error(head + line + "\n"), wrong) << line;
  }
  const std::string launch = head + "launch a.cu c #0 1x1x1 1x1x1 k()\n";
  const std::size_t columns = kCompared.size();
  ASSERT_EQ(error(launch + Columns("  k.cu:7 8 4", 2) + "\n"), "none");
  for (const std::string& line :
       {Columns("  k.cu 8 4", 2), Columns("  k.cu:7 8 4", 2, columns - 1),
        Columns("  k.cu:7 8 4", 2, columns + 1), Columns("  k.cu:7 8 -4", 2)}) {
    EXPECT_EQ(error(launch + line + "\n").substr(0, 8), "m.txt:4:") << line;
  }
}

}  // namespace
}  // namespace warpcheck::parity
