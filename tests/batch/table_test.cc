#include "batch/marks/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batch/marks/class_junit.h"
#include "batch/marks/class_page_data.h"
#include "batch/marks/excluded_text.h"
#include "batch/marks/grades_csv.h"
#include "report/junit_rules.h"

namespace warpcheck::batch {
namespace {

using testing::HasSubstr;
using testing::Not;

Line LineOf(const std::string& id, const std::string& name, Verdict verdict) {
  Line line;
  line.entry.id = id;
  line.entry.name = name;
  line.digest = "0123456789abcdef0123456789abcdef";
  Row& row = line.row.emplace();
  row.max_score = Points::FromHundredths(3000);
  row.score = verdict == Verdict::kPassed ? row.max_score : Points::FromHundredths(1000);
  row.verdict = verdict;
  row.score_is_final = !IsUndecided(verdict);
  CriterionCell& first = row.criteria.emplace_back();
  first.points = Points::FromHundredths(1000);
  first.verdict = Verdict::kPassed;
  CriterionCell& second = row.criteria.emplace_back();
  second.points = verdict == Verdict::kPassed ? Points::FromHundredths(2000) : Points();
  second.verdict = verdict;
  if (verdict != Verdict::kPassed) {
    second.says = "<b>=1+1</b> & \"more\" ]]>";
    second.where = {.file = "t.cu", .line = 3};
  }
  if (!row.score_is_final) row.note = "=cmd|' /C calc'!A0";
  return line;
}

Table TestTable() {
  Table table;
  table.rubric.title = "Title";
  for (const char* const name : {"First, \"the\" one", "Second"}) {
    Criterion& criterion = table.rubric.criteria.emplace_back();
    criterion.id = criterion.name = name;
    criterion.points = Points::FromHundredths(name[0] == 'F' ? 1000 : 2000);
  }
  table.lines.push_back(LineOf("ann", "Ann", Verdict::kPassed));
  table.lines.push_back(LineOf("bob", "=HYPERLINK(\"http://x\")", Verdict::kFailed));
  table.lines.push_back(LineOf("carl", " @Carl,\nthe \"2nd\"\t\x1b[31m", Verdict::kHarnessFault));
  table.lines.push_back(LineOf("dora", "+1 -2", Verdict::kFailed));
  table.lines[3].mark.late = true;
  table.lines[3].entry.submitted = "2026-11-21T10:00:00";
  table.lines.emplace_back().entry.id = "eve";
  table.refused = {{.what = "notes.txt", .reason = "is nobody's"},
                   {.what = "fay.zip", .reason = "=is, damaged", .id = "fay", .name = "Fay"},
                   {.what = "bob", .reason = "a second one", .id = "bob", .name = "Bob"}};
  table.missing = {{.id = "gus", .name = "Gus", .section = "B"}};
  for (Line& line : table.lines) {
    if (line.row && line.row->score_is_final) line.mark.score = line.row->score;
  }
  return table;
}

TEST(GradesCsv, QuotesWhatItMustAndHoldsNoFormula) {
  EXPECT_EQ(GradesCsv(TestTable()),
            "id,name,score,max,percent,verdict,\"First, \"\"the\"\" one\",Second,late,submitted,"
            "digest,note,section,taken,remarks\n"
            "ann,Ann,30,30,100,passed,10,20,,,0123456789abcdef,,,,\n"
            "bob,\"'=HYPERLINK(\"\"http://x\"\")\",10,30,33.33,failed,10,0,,,0123456789abcdef,,,,\n"
            "carl,\"' @Carl, the \"\"2nd\"\" \",,30,,harness_fault,10,0,,,0123456789abcdef,"
            "'=cmd|' /C calc'!A0,,,\n"
            "dora,'+1 -2,10,30,33.33,failed,10,0,late,2026-11-21T10:00:00,0123456789abcdef,,,,\n"
            "eve,,,30,,not_graded,,,,,,not graded yet,,,\n"
            "fay,Fay,,30,,refused,,,,,,\"'=is, damaged\",,,\n"
            "gus,Gus,0,30,0,missing,,,,,,handed in nothing,B,,\n");
}

TEST(PageOf, HasARowForWhoeverHasOneInTheCsv) {
  Table table = TestTable();
  table.exported = true;
  const ClassPage page = PageOf(table);
  using State = ClassPage::Row::State;
  std::vector<std::pair<std::string, State>> rows;
  for (const ClassPage::Row& row : page.rows) rows.emplace_back(row.id, row.state);
  EXPECT_THAT(rows, testing::ElementsAre(
                        std::pair("ann", State::kGraded), std::pair("bob", State::kGraded),
                        std::pair("carl", State::kGraded), std::pair("dora", State::kGraded),
                        std::pair("eve", State::kNotGraded), std::pair("fay", State::kRefused),
                        std::pair("gus", State::kMissing)));
  EXPECT_EQ(page.rows[1].cells[1].says, "<b>=1+1</b> & \"more\" ]]>");
  EXPECT_EQ(page.rows[1].cells[1].where.line, 3);
  EXPECT_FALSE(page.rows[2].score_is_final);
  EXPECT_EQ(page.rows[6].section, "B");
  EXPECT_EQ(page.links[1].address, "export.csv");
}

TEST(ClassJunit, KeepsTheRulesOfItsConsumers) {
  const std::string xml = ClassJunit(TestTable());
  EXPECT_THAT(BrokenJunitRules(xml), testing::IsEmpty()) << xml;
  EXPECT_THAT(xml,
              HasSubstr("<testsuites name=\"Title\" tests=\"10\" failures=\"2\" errors=\"3\">"));
  EXPECT_THAT(xml, Not(HasSubstr("time=")));
  EXPECT_THAT(xml, HasSubstr("\nat bob(t.cu:3)</failure>"));
  EXPECT_THAT(xml, HasSubstr("t.cu:3: &lt;b&gt;=1+1&lt;/b&gt; &amp; &quot;more&quot; ]]&gt;"));
}

TEST(ClassJunit, StaysSmallForAHugeClass) {
  Table table = TestTable();
  Line line = LineOf("x", std::string(300, 'n'), Verdict::kFailed);
  line.row->criteria[1].says = std::string(300, '"');
  line.row->criteria.resize(8, line.row->criteria[1]);
  table.rubric.criteria.resize(8, table.rubric.criteria[1]);
  table.lines.assign(10'000, line);
  EXPECT_LT(ClassJunit(table).size(), std::size_t{30'000'000});
}

TEST(ExcludedText, SaysWhoIsLeftOutAndWhoIsTheSame) {
  Table table = TestTable();
  table.refused.clear();
  table.lines[1].digest = table.lines[2].digest = "b";
  table.superseded.push_back({.what = "ann_1.cu", .reason = "ann_2.cu is newer"});
  table.refused.push_back({.what = "x\ny.zip", .reason = "it is a bomb"});
  EXPECT_EQ(
      ExcludedText(table),
      "Not graded; please look at these:\n"
      "  x y.zip: it is a bomb\n"
      "\n"
      "Not graded, because another submission counts:\n"
      "  ann_1.cu: ann_2.cu is newer\n"
      "\n"
      "In the course's roster, but nothing handed in:\n"
      "  gus Gus\n"
      "\n"
      "The same files, graded once (a hint, not a verdict: an unchanged template counts too):\n"
      "  ann dora\n"
      "  bob carl\n");
  table.missing.clear();
  table.superseded.clear();
  table.refused.clear();
  table.lines.resize(1);
  EXPECT_EQ(ExcludedText(table), "All submissions were graded, and no two are equal.\n");
}

}  // namespace
}  // namespace warpcheck::batch
