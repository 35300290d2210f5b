// Tests the pages of students: their golden files, and that texts of a submission remain text in
// them. tests/browser opens them in a browser.
#include "report/html/student_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/text/utf8.h"
#include "report/grades.h"
#include "report/page_rules.h"
#include "report/pages.h"

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

std::filesystem::path GoldenFile(const std::string& name) {
  return std::filesystem::path(WARPCHECK_TEST_DATA) / name;
}

class StudentPages : public testing::TestWithParam<NamedGrade> {};

TEST_P(StudentPages, AreAsExpected) {
  const StudentHead head{
      .name = "Anna Berg", .submitted = "2026-11-21T10:00:00", .late = GetParam().name == "wrong"};
  ExpectPage(StudentPage(GetParam().grade, head), GoldenFile(GetParam().name + ".html"));
}

INSTANTIATE_TEST_SUITE_P(All, StudentPages, testing::ValuesIn(TypicalGrades()),
                         [](const auto& grade) { return grade.param.name; });

TEST(StudentPages, HaveAPlaceInTheClass) {
  const std::string page = StudentPage(TypicalGrades().front().grade, {.name = "Anna Berg"});
  ClassPlace place = {.class_page = "../index.html", .number = 1, .count = 2};
  place.next = {.address = "b.html", .name = "<b>Bo"};
  const std::string nav =
      "<nav class=\"place\" aria-label=\"The class\">\n<a href=\"../index.html\">The class</a>\n"
      "<span class=\"soft\">1 of 2</span>\n"
      "<a rel=\"next\" href=\"b.html\">next: <bdi>&lt;b&gt;Bo</bdi></a>\n</nav>\n";
  std::string expected = page;
  expected.insert(page.find("<main"), nav);
  EXPECT_EQ(WithClassPlace(page, place), expected);
  EXPECT_THAT(page, Not(HasSubstr("href=\"../")));
}

TEST(StudentPage, ShowNothingInRedOfWhatPassed) {
  Grade grade = TypicalGrades()[0].grade;
  ASSERT_EQ(grade.score, grade.max_score);
  const Grade pictured = PicturedGrade();
  grade.attempt.report.launches = pictured.attempt.report.launches;
  grade.attempt.sources = pictured.attempt.sources;
  Finding finding;
  finding.kind = FindingKind::kOutOfBoundsRead;
  finding.where = {.file = "naive.cu", .line = 12};
  finding.message = "reads 4 bytes past the end";
  grade.attempt.report.findings.push_back({.case_name = "a", .finding = finding});
  const std::string html = StudentPage(grade, {.name = "Anna Berg"});
  const std::string body = html.substr(html.find("<body>"));
  EXPECT_THAT(body, HasSubstr("reads 4 bytes past the end"));
  EXPECT_THAT(body, HasSubstr("(ideal: 4,096)"));
  EXPECT_THAT(body, HasSubstr("class=\"over\""));
  EXPECT_THAT(body, HasSubstr("Full marks"));
  for (const char* const red : {"bad\"", "class=\"lost\"", "class=\"wrong\""}) {
    EXPECT_THAT(body, Not(HasSubstr(red)));
  }
}

TEST(StudentPage, ShowInRedWhatTheLostCriterionMeasures) {
  Grade grade =
      PicturedGrade();  // line 17 wastes sectors and wavefronts, and line 12 wastes no sectors
  const std::string html = StudentPage(grade, {.name = "Anna Berg"});
  EXPECT_THAT(html, HasSubstr("<span class=\"bad\">(ideal: 4,096)</span>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"soft\">(ideal: 32,768)</span>"));
}

TEST(StudentPage, BeginWithWhatToFixFirst) {
  const std::string html = StudentPage(TypicalGrades()[2].grade, {.name = "Anna Berg"});
  const std::size_t first = html.find("Fix this first: Right for every shape");
  EXPECT_LT(first, html.find("<h2>Points</h2>"));
  EXPECT_LT(html.find("class=\"score\""), first);
  EXPECT_LT(html.find("class=\"map\""), html.find("<h2>Points</h2>"));
}

TEST(StudentPage, HasNoScript) {
  const std::string html = StudentPage(TypicalGrades().front().grade, {.name = "Anna"});
  EXPECT_THAT(html, HasSubstr("content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_THAT(html, Not(HasSubstr("script")));
}

TEST(HostilePage, HoldsNothingButText) {
  ExpectHarmless(StudentPage(HostilePageGrade(), {.name = HostileText()}));
  const ClassPlace::Neighbour hostile = {.address = HostileText(), .name = HostileText()};
  ExpectHarmless(
      WithClassPlace(StudentPage(HostilePageGrade(), {.name = HostileText()}),
                     {.class_page = "../index.html", .previous = hostile, .next = hostile}));
}

TEST(HostilePage, IsBounded) {
  const std::string html = StudentPage(HostileGrade(), {.name = HostileGrade().attempt.submission});
  EXPECT_LT(html.size(), std::size_t{16} << 20);
  EXPECT_TRUE(IsUtf8(html));
}

}  // namespace
}  // namespace warpcheck
