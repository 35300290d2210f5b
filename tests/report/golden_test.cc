// Compares the reports with the files in tests/report/data. WARPCHECK_UPDATE_GOLDEN=1 rewrites the
// files: read the difference before you commit it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "report/grades.h"
#include "report/junit_rules.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

class Golden : public testing::TestWithParam<NamedGrade> {
 protected:
  static void Compare(const std::string& text, const std::string& extension) {
    const fs::path path = fs::path(WARPCHECK_TEST_DATA) / (GetParam().name + extension);
    if (std::getenv("WARPCHECK_UPDATE_GOLDEN") != nullptr) {
      ASSERT_TRUE(WriteFile(path, text));
      return;
    }
    const auto expected = ReadFile(path);
    ASSERT_TRUE(expected) << expected.error().Text();
    EXPECT_EQ(text, *expected);
  }
};

TEST_P(Golden, Gradescope) { Compare(GradescopeReport(GetParam().grade), ".gradescope.json"); }
TEST_P(Golden, Classroom) { Compare(ClassroomReport(GetParam().grade), ".classroom.json"); }
TEST_P(Golden, Autolab) { Compare(AutolabReport(GetParam().grade), ".autolab.json"); }
TEST_P(Golden, Prairielearn) {
  Compare(PrairielearnReport(GetParam().grade), ".prairielearn.json");
}
TEST_P(Golden, Coursera) { Compare(CourseraReport(GetParam().grade), ".coursera.json"); }
TEST_P(Golden, Annotations) { Compare(AnnotationsReport(GetParam().grade), ".annotations.txt"); }
TEST_P(Golden, Diagnostics) { Compare(DiagnosticsReport(GetParam().grade), ".diagnostics.txt"); }
TEST_P(Golden, CodeQuality) { Compare(CodeQualityReport(GetParam().grade), ".quality.json"); }
TEST_P(Golden, Sarif) { Compare(SarifReport(GetParam().grade), ".sarif"); }
TEST_P(Golden, Summary) { Compare(SummaryReport(GetParam().grade), ".summary.md"); }
TEST_P(Golden, Terminal) { Compare(TerminalReport(GetParam().grade, {}), ".txt"); }
TEST_P(Golden, Json) { Compare(JsonReport(GetParam().grade), ".json"); }
TEST_P(Golden, Junit) {
  const std::string xml = JunitReport(GetParam().grade);
  Compare(xml, ".xml");
  EXPECT_THAT(BrokenJunitRules(xml), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(TypicalGrades()),
                         [](const auto& grade) { return grade.param.name; });

// Checks files with xmllint, using the rules in the form of a schema.
class Schema : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("xmllint --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no xmllint";
  }
  static bool Accepts(const std::string& xml) {
    const fs::path file = testing::TempDir() + "warpcheck_junit.xml";
    EXPECT_TRUE(WriteFile(file, xml));
    const std::string command = "xmllint --huge --noout --schema '" WARPCHECK_TEST_DATA
                                "/junit.xsd' '" +
                                file.string() + "' >/dev/null 2>&1";
    const bool accepts = std::system(command.c_str()) == 0;
    fs::remove(file);
    return accepts;
  }
};

TEST_F(Schema, AcceptsWhatIsWritten) {
  for (const NamedGrade& grade : TypicalGrades()) {
    EXPECT_TRUE(Accepts(JunitReport(grade.grade))) << grade.name;
  }
  EXPECT_TRUE(Accepts(JunitReport(HostileGrade())));
}

TEST_F(Schema, RefusesWhatConsumersRefuse) {
  const std::string xml = JunitReport(TypicalGrades().front().grade);
  ASSERT_TRUE(Accepts(xml));
  std::string twice = xml;
  twice.replace(twice.find("31x33"), 5, "1x1");
  EXPECT_FALSE(Accepts(twice));
  std::string exponent = xml;
  exponent.replace(exponent.find("time=\"0."), 8, "time=\"1e");
  EXPECT_FALSE(Accepts(exponent));
  std::string skipped = xml;
  skipped.replace(skipped.find("<testsuites "), 12, "<testsuites skipped=\"0\" ");
  EXPECT_FALSE(Accepts(skipped));
}

TEST(JunitRules, SeeWhatIsBroken) {
  EXPECT_THAT(
      BrokenJunitRules(
          R"(<testsuites name="n" tests="2" failures="0" errors="0" skipped="0" time="0">
<testsuite name="s" tests="2" failures="0" errors="0" skipped="0" time="1e3" timestamp="2023-11-14T22:13:20Z" hostname="h">
<testcase classname="c" name="a" time="0"/>
<testcase classname="c" name="a" time="0.0001"><failure message="m" type="t">other</failure><skipped/></testcase>
<properties/>
<testsuite/>
</testsuite>
</testsuites>)"),
      testing::ElementsAre(
          "line 1: attributes of <testsuites>", "line 2: time is \"1e3\"",
          "line 2: timestamp is \"2023-11-14T22:13:20Z\"", "line 4: time is \"0.0001\"",
          "line 4: a second case a", "line 4: more than one outcome",
          "line 4: the text does not repeat the message", "line 5: <properties> comes late",
          "line 6: <testsuite> in a suite", "line 2: failures is 0, counted are 1",
          "line 2: time is not the sum of its cases", "line 1: failures is 0, counted are 1"));
  EXPECT_THAT(BrokenJunitRules("<a>\x01</a>"), testing::Contains("the forbidden byte 0x01"));
  EXPECT_THAT(BrokenJunitRules("<a>\xed\xa0\x80</a>"), testing::Contains("no UTF-8 at byte 3"));
  EXPECT_THAT(BrokenJunitRules("<a>[[ATTACHMENT|x]]</a>"), testing::Contains("has [[ATTACHMENT|"));
}

// Each line must be a command of the report. No text of the submission may begin a command.
TEST(HostileGrade, GivesNoCommandsOfItsOwn) {
  std::istringstream lines(AnnotationsReport(HostileGrade()));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    ASSERT_TRUE(line.starts_with("::error ") || line.starts_with("::notice ")) << line;
    const std::size_t properties = line.find("::", 2);
    ASSERT_NE(properties, std::string::npos);
    EXPECT_LE(std::ranges::count(line.substr(0, properties), ','), 2) << line;
    EXPECT_EQ(line.find('\r'), std::string::npos);
  }
  EXPECT_LE(count, 11);
}

// Each line must be an element of the report. No text may end the block in which Markdown is plain
// text.
TEST(HostileGrade, GivesASummaryNoMarkdown) {
  const std::string summary = SummaryReport(HostileGrade());
  std::istringstream lines(summary);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("<") && line.ends_with(">")) << line;
    for (const char* const active : {"<img", "<a ", "<script", "<!--"}) {
      EXPECT_EQ(line.find(active), std::string::npos) << line;
    }
  }
  EXPECT_LT(summary.size(), 1'000'000U);
}

TEST(HostileGrade, LeavesJsonValid) {
  const Grade grade = HostileGrade();
  for (const auto report : {GradescopeReport, ClassroomReport, CodeQualityReport}) {
    const std::string text = report(grade);
    EXPECT_TRUE(nlohmann::json::accept(text)) << text;
    EXPECT_LT(text.size(), 1'000'000U);
  }
}

TEST(HostileGrade, BreaksNoReport) {
  const Grade grade = HostileGrade();
  EXPECT_THAT(BrokenJunitRules(JunitReport(grade)), testing::IsEmpty());
  const std::string text = TerminalReport(grade, {});
  EXPECT_LT(text.size(), 100'000U);
  for (const char c : text) ASSERT_TRUE(c == '\n' || c == '\t' || (c & 0xe0) != 0) << int{c};
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("\xe2\x80\xae")));
}

}  // namespace
}  // namespace warpcheck
