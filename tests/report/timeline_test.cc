// Tests how reports show a timeline.
#include "order/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/grades.h"
#include "report/html/student_page.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"
#include "report/terminal/timeline_text.h"

namespace warpcheck {
namespace {

using order::Timeline;
using testing::HasSubstr;
using testing::Not;

Timeline::Operation Operation(std::uint32_t step, std::uint32_t column, std::string what) {
  const bool kernel = what.starts_with("kernel");
  return {.step = step,
          .column = column,
          .kind = kernel ? HostCall::Kind::kKernel : HostCall::Kind::kCopy,
          .what = std::move(what),
          .where = {"a.cu", 7, 0}};
}

// Two pieces in two streams, and a wait for the device between them.
Timeline TwoPieces() {
  Timeline timeline;
  timeline.streams = {"stream 1", "stream 2"};
  timeline.operations = {
      Operation(1, 0, "copy to the device, 64 bytes"), Operation(2, 0, "kernel scale"),
      Operation(3, 1, "copy to the device, 64 bytes"), Operation(4, 1, "kernel scale")};
  timeline.operations[1].count = 1000;
  timeline.operations[2].waits_for = {"stream 1"};
  timeline.waits = {{.step = 2,
                     .what = "cudaDeviceSynchronize: the host waits for stream 1",
                     .where = {"a.cu", 9, 0},
                     .costs_overlap = true}};
  timeline.costs = {
      {.message = "cudaDeviceSynchronize orders", .where = {"a.cu", 9, 0}, .hint = "wait once"}};
  timeline.left_out = 3;
  return timeline;
}

std::string Text(const Timeline& timeline, std::size_t width = 80) {
  return TimelineText(timeline, width, [](const SourceLocation& where) { return where.Text(); });
}

TEST(TimelineText, HasARowForEachStepAndAColumnForEachStream) {
  EXPECT_EQ(Text(TwoPieces()),
            "      stream 1                          stream 2\n"
            "   1  copy to the device, 64 bytes :7\n"
            "   2  kernel scale, 1,000 times :7\n"
            "      -- a.cu:9: cudaDeviceSynchronize: the host waits for stream 1; this costs\n"
            "         overlap\n"
            "   3                                    copy to the device, 64 bytes :7\n"
            "                                          (after stream 1)\n"
            "   4                                    kernel scale :7\n"
            "  not shown: 3 further calls\n"
            "\n"
            "  a.cu:9: cudaDeviceSynchronize orders\n"
            "  hint: wait once\n");
}

TEST(TimelineText, IsAListWhereStreamsDoNotFitBesideEachOther) {
  Timeline timeline;
  for (int i = 0; i < 6; ++i) {
    timeline.streams.push_back("stream " + std::to_string(i + 1));
    timeline.operations.push_back(Operation(1, static_cast<std::uint32_t>(i), "kernel scale"));
  }
  EXPECT_THAT(Text(timeline), HasSubstr("   1  stream 1: kernel scale :7\n"
                                        "   1  stream 2: kernel scale :7\n"));
}

TEST(TimelineText, EndsAfterFortySteps) {
  Timeline timeline;
  timeline.streams = {"stream 1"};
  for (std::uint32_t step = 1; step <= 45; ++step) {
    timeline.operations.push_back(Operation(step, 0, "kernel scale"));
  }
  EXPECT_THAT(Text(timeline), HasSubstr("  40  kernel scale :7\n  and 5 further steps\n"));
  EXPECT_EQ(Text({}), "  the program handed no work to the device\n");
}

Grade GradeWithStreams() {
  Grade grade = TypicalGrades().front().grade;
  grade.attempt.report.timelines = {{"Sizes/Pieces.Overlaps/2x64", TwoPieces()}};
  return grade;
}

TEST(Timeline, IsInTheReportsOfProgramsThatUseStreams) {
  EXPECT_THAT(TerminalReport(GradeWithStreams(), {}),
              HasSubstr("Timeline of Sizes/Pieces.Overlaps/2x64"));
  const std::string page = StudentPage(GradeWithStreams(), {.name = "Anna"});
  EXPECT_THAT(page, HasSubstr("<h2>Timeline of Sizes/Pieces.Overlaps/2x64</h2>"));
  EXPECT_THAT(page, HasSubstr("<strong class=\"bad\">costs overlap</strong>"));
  EXPECT_THAT(page, HasSubstr("<td data-label=\"stream 1\" class=\"kernel\">kernel scale, 1,000 "
                              "times <span class=\"soft\">line 7</span></td>"));
  const auto json = nlohmann::json::parse(JsonReport(GradeWithStreams()));
  EXPECT_EQ(json["timelines"][0]["timeline"]["waits"][0]["costs_overlap"], true);

  const Grade without = TypicalGrades().front().grade;
  EXPECT_THAT(TerminalReport(without, {}), Not(HasSubstr("Timeline")));
  EXPECT_THAT(StudentPage(without, {.name = "Anna"}), Not(HasSubstr("Timeline of")));
}

}  // namespace
}  // namespace warpcheck
