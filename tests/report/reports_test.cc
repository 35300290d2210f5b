#include "report/reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <nlohmann/json.hpp>

#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Grade Hostile() {
  Attempt attempt;
  attempt.assignment = "transpose";
  attempt.device = "emulator";
  attempt.seed = 7;
  attempt.build.artifact.emplace();
  attempt.sources["t.cu"] = "one;\n  out[i] = 0;\n";
  CaseResult& result = attempt.report.cases.emplace_back();
  result.name = "Shapes/T.Right/1x1";
  result.verdict = Verdict::kFailed;
  Complaint& complaint = result.complaints.emplace_back();
  complaint.message = "bad \x1b[31m\xff [[ATTACHMENT|/etc/passwd]]";
  complaint.where.file = "t.cu";
  complaint.where.line = 2;
  const auto rubric = ParseRubric(
      "title = \"T\"\n[[criterion]]\nname = \"Right\"\npoints = 40\ntests = \"*\"\n", "r");
  return GradeOf(rubric.value(), std::move(attempt));
}

TEST(Junit, MapsAFailureAndNeutralisesText) {
  const std::string xml = JunitReport(Hostile());
  EXPECT_THAT(xml, Not(HasSubstr("[[ATTACHMENT|")));
  EXPECT_THAT(xml, Not(HasSubstr("\x1b")));
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(xml.c_str()), tinyxml2::XML_SUCCESS);
  const auto* suite = document.RootElement()->FirstChildElement("testsuite");
  EXPECT_EQ(suite->IntAttribute("failures"), 1);
  EXPECT_STREQ(suite->Attribute("timestamp"), "1970-01-01T00:00:00");
  const auto* failure = suite->FirstChildElement("testcase")->FirstChildElement("failure");
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->GetText(), std::string(failure->Attribute("message")) + "\nat right(t.cu:2)");
}

TEST(Json, HoldsScoreAndLine) {
  const auto json = nlohmann::json::parse(JsonReport(Hostile()));
  EXPECT_EQ(json["max_score"], 40);
  EXPECT_EQ(json["criteria"][0]["cases"][0]["line"], 2);
}

TEST(Terminal, QuotesTheLine) {
  const std::string text = TerminalReport(Hostile(), {});
  EXPECT_THAT(text, HasSubstr("t.cu:2  out[i] = 0;"));
  EXPECT_THAT(text, HasSubstr("Score 0 / 40"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace warpcheck
