// Tests the files of a batch where students work in teams, and where criteria are hidden.
#include "batch/marks/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

Listed InTeam(const std::string& id, const std::string& name, const std::string& team) {
  return {.id = id, .name = name, .section = {}, .extension = 0, .team = team};
}

class OutputsTest : public testing::Test {
 protected:
  OutputsTest() {
    const auto rubric = ParseRubric(
        "title = \"T\"\n[[criterion]]\nname = \"Shown\"\npoints = 60\ntests = \"A.*\"\n"
        "[[criterion]]\nname = \"Zebra\"\nhidden = true\npoints = 40\ntests = \"Zebra.*\"\n",
        "r");
    rubric_ = rubric.value();
    state_.identity.emplace().begun = 1'795'651'140;
    state_.rules.due = 1'795'651'140;  // 2026-11-25T23:59:00
    state_.rules.late.percent = 10;
  }

  void HandIn(const std::string& id, const std::string& submitted) {
    Entry& entry = state_.roster.entries.emplace_back();
    entry.id = id;
    entry.name = "Name of " + id;
    entry.submitted = submitted;
  }

  Grade GradeWith(bool shown, bool hidden) const {
    Attempt attempt;
    attempt.build.artifact.emplace();
    for (const char* const name : {"A.One", "Zebra.Two"}) {
      CaseResult& result = attempt.report.cases.emplace_back();
      result.name = name;
      result.verdict = (name[0] == 'Z' ? hidden : shown) ? Verdict::kPassed : Verdict::kFailed;
      if (result.verdict == Verdict::kFailed) {
        result.complaints.emplace_back().message = std::string("a zebra in ") + name;
      }
      if (name[0] == 'A' && !shown) result.complaints.front().message = "it is wrong";
      attempt.report.launches.emplace_back().case_name = name;
    }
    attempt.report.device_output = "a zebra";
    return GradeOf(rubric_, std::move(attempt));
  }

  void Write(const std::vector<Grade>& grades) {
    Outputs outputs(folder_.path(), rubric_, state_);
    ASSERT_TRUE(outputs.Prepare());
    for (std::size_t i = 0; i < grades.size(); ++i) {
      ASSERT_TRUE(outputs.Publish(state_.roster.entries[i], grades[i]));
    }
    const auto finished = outputs.Finish(state_, {{"ada", "digest"}});
    ASSERT_TRUE(finished) << finished.error().Text();
  }

  std::string Text(const std::string& name) const {
    return ReadFile(folder_.path() / name).value_or("");
  }

  Rubric rubric_;
  JournalState state_;
  TemporaryFolder folder_;
};

TEST_F(OutputsTest, KeepHiddenCriteriaFromEveryFileOfAStudent) {
  HandIn("ada", "");
  Write({GradeWith(true, false)});
  int files = 0;
  for (const char* const name : {"students", "feedback", "junit", "json"}) {
    for (const auto& file : fs::directory_iterator(folder_.path() / name)) {
      ++files;
      const std::string text = ReadFile(file.path()).value();
      EXPECT_THAT(text, Not(HasSubstr("ebra"))) << file.path();
      EXPECT_THAT(text, HasSubstr("Hidden tests: 40 points, shown after the deadline"));
    }
  }
  EXPECT_EQ(files, 4);
  for (const char* const name : {"grades.csv", "class/ada.html", "staff/ada.html", "index.html"}) {
    EXPECT_THAT(Text(name), HasSubstr("Zebra")) << name;
  }
  EXPECT_THAT(Text("grades.csv"), HasSubstr("ada,Name of ada,60,100,"));
  state_.rules.show_hidden = true;
  Write({GradeWith(true, false)});
  EXPECT_THAT(Text("feedback/ada.txt"), HasSubstr("a zebra"));
  EXPECT_THAT(Text("feedback/ada.txt"), HasSubstr("Score 60 / 100"));
}

TEST_F(OutputsTest, GiveOneSubmissionToBothMembersOfATeam) {
  state_.rules.roster = {InTeam("ada", "", "blue"), InTeam("bob", "Bob", "blue"),
                         InTeam("eve", "Eve", "")};
  state_.rules.late.days = 2;
  state_.rules.late.most_days = 2;
  state_.rules.used_days = {{"bob", 1}};
  HandIn("ada", "2026-11-27T10:00:00");  // two days late
  Write({GradeWith(true, true)});
  const std::string csv = Text("grades.csv");
  EXPECT_THAT(csv, HasSubstr("remarks,late_days,team\n"));
  EXPECT_THAT(csv, HasSubstr("\nada,Name of ada,100,100,"));
  EXPECT_THAT(csv, HasSubstr("\nbob,Bob,90,100,")) << "he has one late day less";
  EXPECT_THAT(csv, HasSubstr("team blue: Name of ada, Bob; Name of ada handed in"));
  EXPECT_THAT(csv, HasSubstr("\neve,Eve,0,100,0,missing,"));
  EXPECT_EQ(Text("late_days.csv"), "id,name,used,left\nada,Name of ada,2,0\nbob,Bob,1,0\n");
  EXPECT_THAT(Text("students/bob.html"), HasSubstr("team blue"));
  EXPECT_THAT(Text("students/bob.html"), HasSubstr("uses 1 late day, 0 of 2 are left"));
  EXPECT_THAT(Text("feedback/bob.txt"), HasSubstr("Score 60 / 60"));
  EXPECT_THAT(Text("excluded.txt"), Not(HasSubstr("same files")));
}

TEST_F(OutputsTest, TakeTheNewestOfATeam) {
  state_.rules.roster = {InTeam("ada", "", "blue"), InTeam("bob", "", "blue")};
  HandIn("ada", "2026-11-20T10:00:00");
  HandIn("bob", "2026-11-21T10:00:00");
  Write({GradeWith(true, true), GradeWith(false, false)});
  EXPECT_THAT(Text("grades.csv"), HasSubstr("\nada,Name of ada,0,100,"));
  EXPECT_THAT(Text("grades.csv"), HasSubstr("\nbob,Name of bob,0,100,"));
  EXPECT_THAT(Text("excluded.txt"), HasSubstr("another submission of the team counts"));
  state_.rules.counts = Counts::kBest;
  Write({GradeWith(true, true), GradeWith(false, false)});
  EXPECT_THAT(Text("grades.csv"), HasSubstr("\nbob,Name of bob,100,100,"));
  state_.rules.counts = Counts::kFirst;
  Write({GradeWith(false, true), GradeWith(true, true)});
  EXPECT_THAT(Text("grades.csv"), HasSubstr("\nbob,Name of bob,40,100,"));
}

}  // namespace
}  // namespace warpcheck::batch
