#include "results/results_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/json/record.h"

namespace warpcheck {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CaseLaunch SomeLaunch() {
  LaunchRecord record;
  record.kernel = "tile(float const*, float*, int, int)";
  record.grid = {.x = 3, .y = 2, .z = 1};
  record.block = {.x = 32, .y = 8, .z = 1};
  record.shared_bytes = 4224;
  record.error = DeviceError::kIllegalAddress;
  record.counters.Set(Counter::kGlobalSectors, ~std::uint64_t{0});
  record.counters.Set(Counter::kWarpInstructions, 0);
  record.lines.push_back({.where = {.file = "t.cu", .line = 7}, .counters = record.counters});
  Finding& finding = record.findings.emplace_back();
  finding.kind = FindingKind::kOutOfBoundsRead;
  finding.where = {.file = "t.cu", .line = 7, .column = 3};
  finding.kernel = record.kernel;
  finding.message = "reads 4 bytes";
  finding.thread = {.block = {.x = 1}, .thread = {.x = 31}, .lane = 31};
  finding.count = 17;
  record.not_measured = "no permission";
  record.timing = LaunchTiming{.median_us = 12.5,
                               .fastest_us = 11,
                               .runs = 20,
                               .sm_clock_mhz = 1980,
                               .memory_clock_mhz = 3201,
                               .copy_bytes_per_second = 4e12};
  record.resources =
      LaunchResources{.registers = 32, .local_bytes = 16, .active_blocks = 8, .occupancy = 0.75};
  return {.case_name = "Shapes/Transpose.Works/1x1", .record = record};
}

class ResultsFile : public testing::Test {
 protected:
  ResultsFile()
      : path_(std::filesystem::temp_directory_path() /
              ("results_file_test." + std::to_string(::getpid()) + "." +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove(path_);
  }
  ~ResultsFile() override { std::filesystem::remove(path_); }

  std::unique_ptr<ResultsWriter> Open() { return ResultsWriter::Open(path_).value(); }

  // Returns the error of reading a file with these bytes, without the path.
  std::string ErrorOf(std::string_view bytes) {
    EXPECT_TRUE(WriteFile(path_, bytes).has_value());
    const auto report = ReadResults(path_);
    if (report) return "";
    std::string text = report.error().Text();
    const std::string path = path_.string();
    if (text.starts_with(path)) text.erase(0, path.size());
    return text;
  }

  std::filesystem::path path_;
};

constexpr std::string_view kBegin =
    R"({"event":"begin","device":"emulator","device_name":"e","seed":1})"
    "\n";

TEST_F(ResultsFile, RoundTripsEverything) {
  ChecksReport expected;
  expected.device = "emulator";
  expected.device_name = "warpcheck emulator (sm_90)";
  expected.seed = ~std::uint64_t{0};
  expected.cases.resize(2);
  expected.cases[0] = {
      .name = "A.Passes", .verdict = Verdict::kPassed, .complaints = {}, .seconds = 0.5};
  expected.cases[1].name = "A.Fails";
  expected.cases[1].verdict = Verdict::kFailed;
  expected.cases[1].seconds = 1e-3;
  expected.cases[1].targets = {{"global memory", true}, {"coalescing", false}};
  Complaint& complaint = expected.cases[1].complaints.emplace_back();
  complaint.message = "line one\nline \"two\"";
  complaint.where = {.file = "t.cu", .line = 3};
  complaint.hint = "pad the tile";
  expected.launches.push_back(SomeLaunch());
  expected.findings.emplace_back();
  expected.findings[0].case_name = "A.Fails";
  expected.findings[0].finding.kind = FindingKind::kUnsupportedCall;
  expected.findings[0].finding.message = "calls cudaGraphLaunch";
  expected.approximations.push_back({"A.Fails",
                                     {.instruction = "sin.approx.f32",
                                      .where = {.file = "t.cu", .line = 5},
                                      .used = true,
                                      .use = {.file = "t.cu", .line = 6}}});
  expected.timelines.push_back({"A.Fails", {}});
  expected.timelines[0].timeline.streams = {"stream 1"};
  expected.timelines[0].timeline.operations = {{.step = 2, .what = "kernel f", .where = {}}};
  expected.device_output = "hello\nworld";
  expected.host_output = "bye";
  expected.unfinished_case = "A.Dies";
  {
    const auto writer = Open();
    writer->Begin(expected.device, expected.device_name, expected.seed);
    writer->BeginCase("A.Passes");
    writer->Launch(expected.launches[0]);
    writer->EndCase(expected.cases[0]);
    writer->BeginCase("A.Fails");
    writer->Finding(expected.findings[0]);
    writer->Approximation(expected.approximations[0]);
    writer->Timeline(expected.timelines[0]);
    writer->DeviceOutput("hello\n");
    writer->DeviceOutput("world");
    writer->HostOutput("bye");
    writer->EndCase(expected.cases[1]);
    writer->BeginCase("A.Dies");
  }
  const auto report = ReadResults(path_);
  ASSERT_TRUE(report.has_value()) << report.error().Text();
  EXPECT_EQ(*report, expected);
}

TEST_F(ResultsFile, RefusesATimelineWithoutTheColumnsOfItsOperations) {
  CaseTimeline wrong{.case_name = "A.A", .timeline = {}};
  wrong.timeline.operations = {{.step = 1, .column = 1, .what = "kernel f", .where = {}}};
  wrong.timeline.streams = {"stream 1"};
  {
    const auto writer = Open();
    writer->Begin("emulator", "e", 1);
    writer->Timeline(wrong);
  }
  EXPECT_FALSE(ReadResults(path_));
}

TEST(TimelineToShow, IsTheLargestInWhichAWaitCostsOverlap) {
  ChecksReport report;
  EXPECT_EQ(report.TimelineToShow(), nullptr);
  report.timelines = {{"a", {}}, {"b", {}}, {"c", {}}};
  EXPECT_EQ(report.TimelineToShow()->case_name, "a");
  for (int i : {1, 2}) report.timelines[static_cast<std::size_t>(i)].timeline.costs.resize(1);
  EXPECT_EQ(report.TimelineToShow()->case_name, "b");
  report.timelines[2].timeline.operations = {{.step = 1, .what = "kernel f", .where = {}}};
  EXPECT_EQ(report.TimelineToShow()->case_name, "c");  // it has more to show
}

TEST_F(ResultsFile, TakesCountersThatComeLater) {
  CaseLaunch launch = SomeLaunch();
  for (int writing = 0; writing < 2; ++writing) {  // each writer numbers its own launches
    const auto writer = Open();
    writer->Begin("gpu", "NVIDIA H200", 7);
    writer->Launch(launch);
    writer->Launch(launch);
    LaunchRecord counted = launch.record;
    counted.kernel = writing == 0 ? "first" : "second";
    writer->Counted(1, counted);
  }
  const auto launches = ReadResults(path_).value().launches;
  ASSERT_EQ(launches.size(), 4u);
  EXPECT_EQ(launches[0], launch);
  EXPECT_EQ(launches[1].record.kernel, "first");
  EXPECT_EQ(launches[1].case_name, launch.case_name);
  EXPECT_EQ(launches[2], launch);
  EXPECT_EQ(launches[3].record.kernel, "second");
  Open()->Counted(2, launch.record);
  EXPECT_THAT(ReadResults(path_).error().message, HasSubstr("launch 2 was counted and never made"));
}

TEST_F(ResultsFile, IsReadableAfterEveryLine) {
  const auto writer = Open();
  EXPECT_EQ(ReadResults(path_).value(), ChecksReport{});
  writer->Begin("gpu", "NVIDIA H200", 7);
  EXPECT_EQ(ReadResults(path_).value().seed, 7U);
  writer->BeginCase("A.B");
  EXPECT_EQ(ReadResults(path_).value().unfinished_case, "A.B");
  writer->EndCase({.name = "A.B", .verdict = Verdict::kPassed});
  EXPECT_EQ(ReadResults(path_).value().unfinished_case, std::nullopt);
}

TEST_F(ResultsFile, ReplacesInvalidUtf8) {
  Open()->Begin("emulator",
                "a\xff"
                "b",
                1);
  EXPECT_EQ(ReadResults(path_).value().device_name,
            "a\xef\xbf\xbd"
            "b");
}

TEST_F(ResultsFile, KeepsOutputBounded) {
  const auto writer = Open();
  writer->Begin("emulator", "e", 1);
  for (int i = 0; i < 10; ++i) writer->DeviceOutput(std::string(20'000, 'x'));
  EXPECT_EQ(ReadResults(path_).value().device_output, std::string(65'536, 'x'));
}

TEST_F(ResultsFile, AppendsToWhatAnotherProcessWrote) {
  for (const char* name : {"A.One", "A.Two"}) {
    const auto writer = Open();
    writer->Begin("gpu", "NVIDIA H200", 7);
    writer->BeginCase(name);
    writer->EndCase({.name = name, .verdict = Verdict::kPassed});
  }
  EXPECT_EQ(ReadResults(path_).value().cases.size(), 2U);
}

TEST_F(ResultsFile, ToleratesALastLineCutShort) {
  ASSERT_TRUE(WriteFile(path_, std::string(kBegin) + R"({"event":"begin_ca)"));
  EXPECT_EQ(ReadResults(path_).value().device, "emulator");
}

TEST_F(ResultsFile, RejectsWhatIsMalformedWithItsLine) {
  const std::string begin(kBegin);
  EXPECT_THAT(ErrorOf(begin + "{broken\n{}\n"), HasSubstr(":2: error: malformed results: "));
  EXPECT_EQ(ErrorOf("{}\n"), ":1: error: malformed results: no field \"event\"");
  EXPECT_EQ(ErrorOf("{\"event\":\"end_case\"}\n"),
            ":1: error: malformed results: results before \"begin\"");
  EXPECT_EQ(ErrorOf(begin + "{\"event\":\"dance\"}\n"),
            ":2: error: malformed results: unknown event \"dance\"");
  EXPECT_EQ(ErrorOf(begin + R"({"event":"begin_case","name":3})"
                            "\n"),
            ":2: error: malformed results: \"name\" is not a text");
  EXPECT_EQ(ErrorOf(begin + R"({"event":"begin","device":"emulator","device_name":"e","seed":2})"
                            "\n"),
            ":2: error: malformed results: a second \"begin\" with another device or seed");
  EXPECT_EQ(ErrorOf(R"({"event":"begin","device":"d","device_name":"e","seed":-1})"
                    "\n"),
            ":1: error: malformed results: \"seed\" is not a number in the allowed range");
}

TEST_F(ResultsFile, RejectsCasesThatDoNotNest) {
  const std::string begin(kBegin);
  const std::string a = R"({"event":"begin_case","name":"A.A"})"
                        "\n";
  EXPECT_EQ(ErrorOf(begin + a + a),
            ":3: error: malformed results: case A.A begins before A.A ended");
  EXPECT_EQ(
      ErrorOf(begin + R"({"event":"end_case","name":"A.B","verdict":"passed","complaints":[],)"
                      R"("seconds":0})"
                      "\n"),
      ":2: error: malformed results: case A.B ends and had not begun");
  EXPECT_EQ(ErrorOf(begin + a +
                    R"({"event":"end_case","name":"A.A","verdict":"lost","complaints":[],)"
                    R"("seconds":0})"
                    "\n"),
            ":3: error: malformed results: \"verdict\" has no value \"lost\"");
  EXPECT_EQ(ErrorOf(begin + a +
                    R"({"event":"end_case","name":"A.A","verdict":"failed","complaints":[],)"
                    R"("seconds":0})"
                    "\n"),
            ":3: error: malformed results: case A.A is lost without a complaint");
}

TEST_F(ResultsFile, RejectsWhatCannotBeDrawn) {
  const std::string begin = std::string(kBegin) + R"({"event":"begin_case","name":"A.A"})" + "\n";
  CaseResult result{.name = "A.A", .verdict = Verdict::kFailed};
  result.complaints.push_back({.message = "m", .where = {}, .hint = {}});
  const auto error_of = [&] {
    nlohmann::ordered_json line = ToJson(result);
    line["event"] = "end_case";
    return ErrorOf(begin + line.dump() + "\n");
  };
  result.complaints[0].access.emplace().bytes = 4'000'000;
  EXPECT_EQ(error_of(),
            ":3: error: malformed results: case A.A has an access of 4000000 bytes a lane");
  result.complaints[0].access.reset();
  result.complaints[0].map = MapOf(std::vector<std::size_t>{4});
  result.complaints[0].map->cells = "....<script>";
  EXPECT_EQ(error_of(), ":3: error: malformed results: case A.A has an invalid map");
}

TEST_F(ResultsFile, IsReadWhileItGrows) {
  std::vector<std::string> seen;
  const CaseProgress progress = [&](std::string_view name, bool ended) {
    seen.push_back(std::string(name) + (ended ? "!" : "?"));
  };
  ResultsReader reader(path_);
  reader.Read(progress);
  EXPECT_THAT(seen, ElementsAre());
  const auto writer = Open();
  writer->Begin("emulator", "an emulator", 7);
  writer->BeginCase("A.A");
  reader.Read(progress);
  EXPECT_THAT(seen, ElementsAre("A.A?"));
  writer->Launch(SomeLaunch());
  writer->EndCase({.name = "A.A", .verdict = Verdict::kPassed});
  writer->BeginCase("A.B");
  std::ofstream out(path_, std::ios::app);
  out << R"({"event":"end_c)" << std::flush;
  reader.Read(progress);
  EXPECT_THAT(seen, ElementsAre("A.A?", "A.A!", "A.B?"));
  out << R"(ase","name":"A.B","verdict":"passed","complaints":[],"seconds":0})"
      << "\n"
      << std::flush;
  reader.Read(progress);
  EXPECT_THAT(seen, ElementsAre("A.A?", "A.A!", "A.B?", "A.B!"));
  const ChecksReport report = reader.Take().value();
  EXPECT_EQ(report.cases.size(), 2U);
  EXPECT_EQ(report.launches, std::vector{SomeLaunch()});
}

TEST_F(ResultsFile, IsReadUpToItsFirstMistake) {
  const auto writer = Open();
  writer->Begin("emulator", "an emulator", 7);
  std::ofstream out(path_, std::ios::app);
  out << "nonsense\n" << std::flush;
  ResultsReader reader(path_);
  reader.Read();
  writer->BeginCase("A.A");
  int cases = 0;
  reader.Read([&](std::string_view, bool) { ++cases; });
  EXPECT_EQ(cases, 0);
  EXPECT_EQ(reader.Take().error().where.line, 2);
}

TEST_F(ResultsFile, FailsWhereThePathCannotBeUsed) {
  const auto missing = ReadResults("/nonexistent/results");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().Text(),
            "error: cannot open /nonexistent/results: No such file or directory");
  const auto writer = ResultsWriter::Open("/nonexistent/results");
  ASSERT_FALSE(writer.has_value());
  EXPECT_EQ(
      writer.error().Text(),
      "error: cannot write results: cannot open /nonexistent/results: No such file or directory");
}

TEST(Verdict, EveryNameLeadsBack) {
  for (const Verdict verdict : {Verdict::kPassed, Verdict::kSkipped, Verdict::kNotMeasured,
                                Verdict::kFailed, Verdict::kError, Verdict::kHarnessFault}) {
    EXPECT_EQ(ValueNamed<Verdict>(Name(verdict)), verdict);
  }
  EXPECT_EQ(ValueNamed<Verdict>("won"), std::nullopt);
}

}  // namespace
}  // namespace warpcheck
