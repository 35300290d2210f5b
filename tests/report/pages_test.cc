// Tests the pages: their golden files, and that texts of a submission remain text in them.
// tests/browser opens them in a browser.
#include "report/pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/text/utf8.h"
#include "report/grades.h"
#include "report/html/class_page.h"
#include "report/html/common_complaints.h"
#include "report/html/page_template.h"
#include "report/html/score_histogram.h"
#include "report/html/student_page.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Compares the page without its head, which differs only in the title, and without the script.
void Compare(const std::string& html, const std::string& name) {
  const std::size_t begin = html.find("<body>");
  const std::string text = html.substr(begin, html.find("<script>") - begin);
  const fs::path path = fs::path(WARPCHECK_TEST_DATA) / name;
  if (std::getenv("WARPCHECK_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(path, text));
    return;
  }
  const auto expected = ReadFile(path);
  ASSERT_TRUE(expected) << expected.error().Text();
  EXPECT_EQ(text, *expected);
}

class StudentPages : public testing::TestWithParam<NamedGrade> {};

TEST_P(StudentPages, AreAsExpected) {
  const StudentHead head{
      .name = "Anna Berg", .submitted = "2026-11-21T10:00:00", .late = GetParam().name == "wrong"};
  Compare(StudentPage(GetParam().grade, head), GetParam().name + ".html");
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

TEST(ClassPages, AreAsExpected) { Compare(HtmlClassPage(TypicalClass()), "class.html"); }

TEST(ClassPages, AreThereForNobodyAndForNoPoints) {
  ClassPage page = TypicalClass();
  page.max_score = Points();
  for (ClassPage::Row& row : page.rows) row.score = Points();
  EXPECT_THAT(HtmlClassPage(page), HasSubstr("all points: 5 students"));
  page.rows.clear();
  page.identical.clear();
  EXPECT_THAT(HtmlClassPage(page), HasSubstr("<p>0 students; begun"));
}

TEST(ScoreBins, AreTenthsAndFullMarks) {
  const auto bin = [](std::int64_t score) {
    return ScoreBin(Points::FromHundredths(score), Points::FromHundredths(5000));
  };
  EXPECT_EQ(bin(0), 0U);
  EXPECT_EQ(bin(499), 0U);
  EXPECT_EQ(bin(500), 1U);
  EXPECT_EQ(bin(4999), 9U);
  EXPECT_EQ(bin(5000), 10U);
  EXPECT_EQ(bin(6000), 10U) << "a person may give more";
}

TEST(ScoreBins, AreSaidInWordsToo) {
  ScoreBins bins{};
  bins[4] = 1;
  bins[10] = 12;
  EXPECT_THAT(Rendered("histogram", HistogramModel(bins)),
              HasSubstr("aria-label=\"Students by score. 40 to 49 %: 1; all points: 12\""));
}

TEST(CommonComplaints, AreThoseThatDifferInNumbersAlone) {
  ClassPage page;
  const auto add = [&](const std::string& id, std::vector<ClassPage::Cell> cells) {
    ClassPage::Row& row = page.rows.emplace_back();
    row.id = id;
    row.cells = std::move(cells);
  };
  const auto lost = [](const std::string& says, int line) {
    return ClassPage::Cell{
        .verdict = Verdict::kFailed, .says = says, .where = {.file = "t.cu", .line = line}};
  };
  const ClassPage::Cell error = {.verdict = Verdict::kError, .says = "does not compile"};
  const ClassPage::Cell skipped = {.verdict = Verdict::kSkipped, .says = "counts only once"};
  add("a", {error, error});
  add("b", {{.verdict = Verdict::kPassed}, lost("2-way conflict: 1,000", 7)});
  add("c", {skipped, lost("32-way conflict: 5", 9)});
  const auto complaints = CommonComplaints(page);
  ASSERT_EQ(complaints.size(), 2U);
  EXPECT_EQ(complaints[0].says, "2-way conflict: 1,000");
  EXPECT_EQ(complaints[0].criterion, 1U);
  ASSERT_EQ(complaints[0].cases.size(), 2U);
  EXPECT_EQ(complaints[0].cases[1].row->id, "c");
  EXPECT_EQ(complaints[0].cases[1].where.line, 9);
  EXPECT_EQ(complaints[1].cases.size(), 1U) << "a student counts once";
}

TEST(Pages, AllowNothingButTheirOwnStyleAndScript) {
  const std::string html = HtmlClassPage(TypicalClass());
  EXPECT_THAT(html, HasSubstr("content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_THAT(html, HasSubstr("'; script-src 'sha256-"));
  EXPECT_THAT(html, Not(HasSubstr("unsafe")));
  EXPECT_THAT(html, HasSubstr("<title>Matrix transpose</title>"));
  const std::string student = StudentPage(TypicalGrades().front().grade, {.name = "Anna"});
  EXPECT_THAT(student, Not(HasSubstr("script")));
}

// Only C++ writes markup; the script must not.
TEST(Pages, HaveAScriptThatMakesNoMarkup) {
  for (const char* bad : {"innerHTML", "outerHTML", "insertAdjacentHTML", "eval", "Function(",
                          "document.write", "fetch", "XMLHttpRequest", "</script", "<!--"}) {
    EXPECT_EQ(PageText("class.js").find(bad), std::string_view::npos) << bad;
  }
}

// Returns the elements of a page, each once.
std::set<std::string> Markup(const std::string& html) {
  static const std::regex kTag("<([a-z0-9!]+)((?: [a-z-]+=\"[^\"<>]*\")*)/?>");
  std::set<std::string> markup;
  for (std::sregex_iterator at(html.begin(), html.end(), kTag); at != std::sregex_iterator();
       ++at) {
    markup.insert((*at)[1]);
  }
  return markup;
}

void ExpectHarmless(std::string html) {
  if (const std::size_t ours = html.find(PageText("class.js")); ours != std::string::npos) {
    html.erase(ours - 8, PageText("class.js").size() + 17);
  }
  EXPECT_LT(html.size(), std::size_t{16} << 20);
  EXPECT_TRUE(IsUtf8(html));
  EXPECT_THAT(
      Markup(html),
      testing::IsSubsetOf(
          {"html",    "head",       "meta",    "link",   "title",  "style",  "body",
           "a",       "nav",        "main",    "h1",     "h2",     "p",      "svg",
           "rect",    "table",      "caption", "thead",  "tbody",  "tr",     "th",
           "td",      "blockquote", "code",    "pre",    "span",   "strong", "b",
           "bdi",     "br",         "ul",      "li",     "dl",     "dt",     "dd",
           "details", "summary",    "figure",  "text",   "line",   "div",    "label",
           "input",   "path",       "section", "select", "option", "button", "figcaption"}));
  for (const char* bad :
       {"<script", "<img", "href=\"javascript:", " onerror=\"", "<iframe", "\xe2\x80\xae"}) {
    EXPECT_THAT(html, Not(HasSubstr(bad)));
  }
  // Outside of the style sheet, every '<' must begin a tag that our templates write.
  static const std::regex kForeign("<(?!/?[a-z0-9]+[ >/]|!DOCTYPE)");
  const std::string body = html.substr(html.find("<body>"));
  EXPECT_FALSE(std::regex_search(body, kForeign));
}

TEST(HostilePages, HoldNothingButText) {
  ExpectHarmless(StudentPage(HostilePageGrade(), {.name = HostileText()}));
  ExpectHarmless(HtmlClassPage(HostileClass()));
  const ClassPlace::Neighbour hostile = {.address = HostileText(), .name = HostileText()};
  ExpectHarmless(
      WithClassPlace(StudentPage(HostilePageGrade(), {.name = HostileText()}),
                     {.class_page = "../index.html", .previous = hostile, .next = hostile}));
}

TEST(HostilePages, AreBounded) {
  const std::string html = StudentPage(HostileGrade(), {.name = HostileGrade().attempt.submission});
  EXPECT_LT(html.size(), std::size_t{16} << 20);
  EXPECT_TRUE(IsUtf8(html));
}

}  // namespace
}  // namespace warpcheck
