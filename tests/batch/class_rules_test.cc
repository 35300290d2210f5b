#include "batch/course/class_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/record.h"
#include "batch/course/csv.h"
#include "batch/marks/marks.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kHour = 3'600;
constexpr std::int64_t kDue = 1'795'651'140;  // 2026-11-25T23:59:00Z

class ClassRulesTest : public testing::Test {
 protected:
  ClassRulesTest() {
    for (const char* const id : {"right", "fast"}) {
      Criterion& criterion = rubric_.criteria.emplace_back();
      criterion.id = criterion.name = id;
      criterion.points = Points::FromHundredths(5000);
    }
  }
  Result<ClassRules> Read(const std::string& toml) const {
    return ReadClassRules(folder_.Write("class.toml", toml), rubric_);
  }
  std::string ErrorOf(const std::string& toml) const {
    const auto rules = Read(toml);
    return rules ? "" : rules.error().Text().substr(folder_.path().string().size() + 1);
  }
  Rubric rubric_;
  TemporaryFolder folder_;
};

TEST_F(ClassRulesTest, AreReadWithTheirRoster) {
  folder_.Write("roster.csv",
                "\xef\xbb\xbf"
                "Name;ID;extension;Section\r\n\"Berg; Anna\";101;2d;A\n\nBo;102;;\n");
  const auto rules = Read(
      "due = 2026-11-26T00:59:00+01:00\nroster = \"roster.csv\"\n"
      "[late]\npercent = 10\nper = \"hour\"\ngrace = \"15m\"\nmost = 40\n"
      "[weights]\nfast = 12.5\n"
      "[export]\nfile = \"g.csv\"\nstudent = \"ID\"\nscore = \"S\"\n");
  ASSERT_TRUE(rules) << rules.error().Text();
  EXPECT_EQ(rules->due, kDue);
  EXPECT_EQ(rules->late.unit, kHour);
  EXPECT_EQ(rules->late.grace, 15 * 60);
  EXPECT_EQ(rules->late.most, 40);
  ASSERT_EQ(rules->roster.size(), 2U);
  EXPECT_EQ(rules->roster[0].name, "Berg; Anna");
  EXPECT_EQ(rules->roster[0].extension, 48 * kHour);
  EXPECT_EQ(rules->roster[0].section, "A");
  EXPECT_EQ(rules->roster[1].extension, 0);
  EXPECT_EQ(rules->exported->file, folder_.path() / "g.csv");
  EXPECT_EQ(Weighted(rubric_, *rules).Total(), Points::FromHundredths(6250));
  EXPECT_EQ(ToJson(FromJson<ClassRules>(ToJson(*rules))), ToJson(*rules));
}

TEST_F(ClassRulesTest, ThatAreWrongAreRefusedWithTheirLine) {
  EXPECT_EQ(ErrorOf("due = \"tomorrow\"\n"),
            "class.toml:1:7: error: \"due\" must be a time with its offset from UTC\n  write for "
            "example due = 2026-11-20T23:59:00+01:00, without quotes");
  EXPECT_THAT(ErrorOf("due = 2026-11-25T23:59:00\n"), HasSubstr("with its offset"));
  EXPECT_THAT(ErrorOf("deadline = 3\n"), HasSubstr("class.toml:1:12: error: unknown key"));
  EXPECT_THAT(ErrorOf("[late]\npercent = 10\n"), HasSubstr("a late penalty needs a deadline"));
  const std::string due = "due = 2026-11-25T23:59:00Z\n";
  EXPECT_THAT(ErrorOf(due + "[late]\npercent = 200\n"), HasSubstr("from 0 to 100"));
  EXPECT_THAT(ErrorOf(due + "[late]\nper = \"week\"\n"), HasSubstr("class.toml:3:7"));
  EXPECT_THAT(ErrorOf(due + "[late]\ngrace = \"soon\"\n"), HasSubstr("not a length of time"));
  EXPECT_EQ(ErrorOf(due + "counts = \"latest\"\n"),
            "class.toml:2:10: error: \"counts\" is \"latest\"\n"
            "  write one of: newest, first, newest_on_time, best");
  EXPECT_THAT(ErrorOf("counts = 3\n"), HasSubstr("class.toml:1:10: error: "));
  EXPECT_THAT(ErrorOf("counts = \"newest_on_time\"\n"),
              HasSubstr("class.toml:1:10: error: \"newest_on_time\" needs a deadline"));
  EXPECT_THAT(ErrorOf("[weights]\nwrong = 3\n"), HasSubstr("may have: right, fast"));
  EXPECT_THAT(ErrorOf("[weights]\nfast = -3\n"), HasSubstr("from 0 to 1000000"));
  EXPECT_THAT(ErrorOf("late = 3\n"), HasSubstr("must be a table"));
  EXPECT_THAT(ErrorOf("[export]\nfile = \"x\"\n"), HasSubstr("missing key \"student\""));
  EXPECT_THAT(ErrorOf("roster = \"none.csv\"\n"), HasSubstr("class.toml:1:10"));
  EXPECT_THAT(ErrorOf("due = \n"), HasSubstr("class.toml:1"));
  for (const auto& [csv, says] : std::vector<std::pair<std::string, std::string>>{
           {"name\nAnna\n", "roster.csv:1: error: a roster needs a column called \"id\""},
           {"id\n1\n1\n", "roster.csv:3: error: 1 is listed a second time"},
           {"id,name\n,Anna\n", "roster.csv:2: error: a student without an id"},
           {"id,extension\n1,soon\n", "roster.csv:2: error: \"soon\" is not a length of time"},
           {"id\n\"1\n", "roster.csv:"},
           {"id\n1,2\n", "roster.csv:2: error: this row has 2 cells, but the first row has 1"},
           {"", "roster.csv: error: it is empty"}}) {
    folder_.Write("roster.csv", csv);
    EXPECT_THAT(ErrorOf("roster = \"roster.csv\"\n"), HasSubstr(says)) << csv;
  }
}

TEST_F(ClassRulesTest, HaveABudgetOfLateDaysAndTeams) {
  folder_.Write("roster.csv", "id,team\n1,blue\n2,blue\n3,\n4,red\n");
  folder_.Write("hw1/late_days.csv", "id,name,used,left\n1,Ann,2,3\n2,Bo,0,5\n");
  folder_.Write("hw2/late_days.csv", "id,used\n1,1\n");
  const std::string start = "due = 2026-11-25T23:59:00Z\nroster = \"roster.csv\"\n";
  const std::string late = start + "[late]\npercent = 10\ndays = 5\nmost_days = 3\n";
  const auto rules =
      Read(late + "earlier = [\"hw1/late_days.csv\", \"hw2/late_days.csv\"]\n[teams]\n");
  ASSERT_TRUE(rules) << rules.error().Text();
  EXPECT_EQ(rules->late.days, 5);
  EXPECT_EQ(rules->late.most_days, 3);
  EXPECT_EQ(rules->used_days.at("1"), 3);
  EXPECT_EQ(rules->roster[1].team, "blue");
  EXPECT_EQ(ToJson(FromJson<ClassRules>(ToJson(*rules))), ToJson(*rules));
  EXPECT_EQ(Read(start)->roster[1].team, "") << "without [teams] the column has no effect";
  EXPECT_EQ(Read(start + "[late]\ndays = 4\n")->late.most_days, 4);

  EXPECT_THAT(ErrorOf(late + "days = 5\n"), HasSubstr("class.toml:"));
  EXPECT_THAT(ErrorOf(start + "[late]\ndays = 2.5\n"),
              HasSubstr("class.toml:4:8: error: \"days\" must be a whole number from 1 to 365"));
  EXPECT_THAT(ErrorOf(start + "[late]\nmost_days = 3\n"), HasSubstr("needs a budget of late days"));
  EXPECT_THAT(ErrorOf(start + "[late]\nper = \"hour\"\ndays = 3\n"),
              HasSubstr("does not go with a penalty per hour"));
  EXPECT_THAT(ErrorOf(late + "earlier = \"none.csv\"\n"), HasSubstr("none.csv"));
  EXPECT_THAT(ErrorOf(late + "earlier = [\"hw1/late_days.csv\", \"./hw1/late_days.csv\"]\n"),
              HasSubstr("twice"));
  folder_.Write("bad.csv", "id,used\n1,many\n");
  EXPECT_THAT(ErrorOf(late + "earlier = \"bad.csv\"\n"),
              HasSubstr("bad.csv:2: error: \"many\" is not a number of days"));
  EXPECT_THAT(ErrorOf("[teams]\nsize = 2\n"), HasSubstr("needs a roster"));
  EXPECT_THAT(ErrorOf(start + "[teams]\nsize = 1\n"), HasSubstr("from 2 to 20"));
  folder_.Write("roster.csv", "id,team\n1,blue\n2,blue\n3,blue\n");
  EXPECT_THAT(ErrorOf(start + "[teams]\n"), HasSubstr("team blue has 3 members: 1, 2, 3"));
  EXPECT_TRUE(Read(start + "[teams]\nsize = 3\n"));
  EXPECT_THAT(ErrorOf("show_hidden = 1\n"), HasSubstr("must be true or false"));
  EXPECT_THAT(ErrorOf("leaderboard = \"all\"\n"), HasSubstr("must be \"pseudonyms\" or \"names\""));
  EXPECT_EQ(Read("leaderboard = \"names\"\n")->leaderboard, LeaderboardNames::kNames);
  EXPECT_EQ(Read("")->leaderboard, LeaderboardNames::kPseudonyms);
}

class Marks : public testing::Test {
 protected:
  Marks() {
    rules_.due = kDue;
    rules_.late = {.percent = 10, .grace = kHour / 4, .most = 50};
    rules_.roster = {{.id = "101", .name = {}, .section = "A"},
                     {.id = "102", .name = {}, .section = {}, .extension = 48 * kHour}};
    entry_.id = "berg_101";
    entry_.known_as = {"101"};
  }
  std::string MarkAt(const std::string& submitted) {
    entry_.submitted = submitted;
    const Mark mark = MarkEarning(Points::FromHundredths(8000));
    std::string text = mark.score ? mark.score->Text() : "none";
    for (const std::string& remark : mark.remarks) text += "; " + remark;
    return text;
  }

  Mark MarkEarning(std::optional<Points> earned) const {
    const auto row = FinderOf(rules_.roster).RowOf(entry_.id, entry_.known_as);
    return MarkOf(entry_, row ? &rules_.roster[*row] : nullptr, earned, kMax, rules_, notes_);
  }

  static constexpr Points kMax = Points::FromHundredths(10'000);
  ClassRules rules_;
  Entry entry_;
  std::vector<Note> notes_;
};

TEST_F(Marks, LoseAShareForEachDayBegun) {
  EXPECT_EQ(MarkAt("2026-11-25T10:00:00"), "80");
  EXPECT_EQ(MarkAt("2026-11-25T23:59:00"), "80");
  EXPECT_EQ(MarkAt("2026-11-26T00:14:00"), "80");  // within the grace period
  EXPECT_EQ(MarkAt("2026-11-26T00:15:00"), "70; 1 day late: a penalty of 10 points");
  EXPECT_EQ(MarkAt("2026-11-26T23:59:00"), "70; 1 day late: a penalty of 10 points");
  EXPECT_EQ(MarkAt("2026-11-26T23:59:01"), "60; 2 days late: a penalty of 20 points");
  EXPECT_EQ(MarkAt("2026-12-25T00:00:00"), "30; 30 days late: a penalty of 50 points");
  EXPECT_TRUE(MarkEarning({}).late);
  rules_.late.most = 100;
  EXPECT_EQ(MarkAt("2026-12-25T00:00:00"), "0; 30 days late: a penalty of 100 points");
  rules_.late.unit = kHour;
  EXPECT_EQ(MarkAt("2026-11-26T01:30:00"), "60; 2 hours late: a penalty of 20 points");
  entry_.known_as = {"102"};  // this student has two more days
  EXPECT_EQ(MarkAt("2026-11-27T23:00:00"), "80");
  EXPECT_FALSE(MarkEarning({}).late);
}

TEST_F(Marks, UseLateDaysBeforeTheyLosePoints) {
  rules_.late.days = 5;
  rules_.late.most_days = 3;
  EXPECT_EQ(MarkAt("2026-11-25T10:00:00"), "80");
  EXPECT_EQ(MarkAt("2026-11-27T10:00:00"), "80; 2 days late: uses 2 late days, 3 of 5 are left");
  EXPECT_EQ(MarkEarning({}).late_days, 2);
  EXPECT_EQ(
      MarkAt("2026-11-30T10:00:00"),
      "60; 5 days late: uses 3 late days, 2 of 5 are left; a penalty of 20 points for 2 days");
  rules_.used_days["101"] = 4;
  EXPECT_EQ(MarkAt("2026-11-27T10:00:00"),
            "70; 2 days late: uses 1 late day, 0 of 5 are left; a penalty of 10 points for 1 day");
  rules_.used_days["101"] = 6;  // a person gave more
  EXPECT_EQ(MarkAt("2026-11-26T10:00:00"),
            "70; 1 day late: uses 0 late days, 0 of 5 are left; a penalty of 10 points for 1 day");
  EXPECT_EQ(MarkEarning({}).days_left, 0);
}

TEST_F(Marks, TakeNothingForWhatIsNotKnown) {
  EXPECT_EQ(MarkAt(""), "80");
  entry_.late = true;
  EXPECT_THAT(MarkAt(""), HasSubstr("80; late according to the platform"));
  rules_.due.reset();
  EXPECT_EQ(MarkAt("2030-01-01T00:00:00"), "80");
}

TEST_F(Marks, AreWhatAPersonSays) {
  notes_ = {{.id = "berg_101", .points = {}, .comment = "Ask me", .who = "ann", .when = kDue},
            {.id = "berg_101", .points = 9050, .comment = "ill", .who = "bo", .when = kDue}};
  EXPECT_EQ(MarkAt("2026-11-26T23:59:01"),
            "90.5; 2 days late: a penalty of 20 points; a comment by ann, 2026-11-25: Ask me; "
            "set to 90.5 by bo, 2026-11-25: ill");
  EXPECT_EQ(MarkEarning({}).score, Points::FromHundredths(9050));
  notes_.clear();
  EXPECT_EQ(MarkEarning({}).score, std::nullopt);
}

TEST_F(Marks, KnowTheRoster) {
  EXPECT_EQ(MarkEarning(kMax).section, "A");
  entry_.known_as = {"999"};
  EXPECT_THAT(MarkEarning(kMax).remarks, ElementsAre("is not in the course's roster"));
  rules_.roster.clear();
  EXPECT_THAT(MarkEarning(kMax).remarks, IsEmpty());
}

TEST(RowFinder, KnowsAStudentByIdAndOtherNames) {
  RowFinder finder;
  std::size_t row = 0;
  for (const char* const cell :
       {"", "Participant 101", "Berg_101", "102", "101", "102", "x berg_101"}) {
    finder.Add(cell, row++);
  }
  EXPECT_EQ(finder.RowOf("berg_101", {"101"}), 1U) << "the first of two";
  EXPECT_EQ(finder.RowOf("Berg_101", {}), 2U) << "letter by letter";
  EXPECT_EQ(finder.RowOf("berg_102", {"102"}), 3U);
  EXPECT_EQ(finder.RowOf("berg_101", {}), std::nullopt) << "an id is all of a cell";
  EXPECT_EQ(finder.RowOf("", {""}), std::nullopt);
  EXPECT_EQ(finder.RowOf("10", {"1"}), std::nullopt);
}

TEST(Csv, KeepsCellsAsTheyAre) {
  const std::string text = "a,b\n\"x, \"\"y\"\"\",\"1\n2\"\n,z\n";
  const auto table = ParseCsv(text, "t.csv");
  ASSERT_TRUE(table) << table.error().Text();
  EXPECT_THAT(table->rows, ElementsAre(ElementsAre("x, \"y\"", "1\n2"), ElementsAre("", "z")));
  EXPECT_EQ(CsvText(*table), text);
  EXPECT_EQ(table->Column("B"), 1);
  EXPECT_EQ(table->Column("c"), -1);
}

}  // namespace
}  // namespace warpcheck::batch
