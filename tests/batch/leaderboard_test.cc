#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "batch/marks/leaderboard_data.h"
#include "batch/marks/outputs.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kHidingRubric[] = R"(title = "T"
[[criterion]]
name = "Right"
points = 60
tests = "A.*"
[[criterion]]
name = "Zebra"
hidden = true
points = 40
tests = "Zebra.*"
)";

class LeaderboardOfClass : public testing::Test {
 protected:
  LeaderboardOfClass() { state_.identity.emplace().begun = 1'795'651'140; }

  // A right submission, whose shown test moves `sectors`, and whose hidden test moves a million.
  static Attempt Right(std::uint64_t sectors) {
    Attempt attempt;
    attempt.build.artifact.emplace();
    for (const char* const name : {"A.One", "Zebra.Two"}) {
      CaseResult& result = attempt.report.cases.emplace_back();
      result.name = name;
      result.verdict = Verdict::kPassed;
      CaseLaunch& launch = attempt.report.launches.emplace_back();
      launch.case_name = name;
      launch.record.counters.Set(Counter::kGlobalSectors, name[0] == 'Z' ? 1'000'000 : sectors);
      launch.record.counters.Set(Counter::kWarpInstructions, 10);
    }
    return attempt;
  }
  static Attempt WithSpeed(Attempt attempt, const std::string& name, double ratio,
                           SpeedRatio::Outcome outcome = SpeedRatio::Outcome::kMet) {
    CaseResult& result = attempt.report.cases.emplace_back();
    result.name = name;
    result.verdict = Verdict::kPassed;
    result.speed = SpeedRatio{.outcome = outcome, .ratio = ratio, .pairs = ratio > 0 ? 12U : 0U};
    return attempt;
  }
  Grade Graded(Attempt attempt) const { return GradeOf(rubric_, std::move(attempt)); }

  void Write(const std::vector<std::pair<std::string, Grade>>& grades) {
    std::map<std::string, std::string> digests;
    for (const auto& [id, grade] : grades) {
      Entry& entry = state_.roster.entries.emplace_back();
      entry.id = id;
      entry.name = "Name of " + id;
      digests[id] = "digest of " + id;
    }
    Outputs outputs(folder_.path(), rubric_, state_);
    outputs.WriteLeaderboardTo(folder_.path() / "board.html");
    ASSERT_TRUE(outputs.Prepare());
    for (std::size_t i = 0; i < grades.size(); ++i) {
      ASSERT_TRUE(outputs.Publish(state_.roster.entries[i], grades[i].second));
    }
    const auto finished = outputs.Finish(state_, digests);
    ASSERT_TRUE(finished) << finished.error().Text();
  }
  std::string Text(const std::string& name) const {
    return ReadFile(folder_.path() / name).value_or("");
  }

  Rubric rubric_ = ParseRubric(kHidingRubric, "r").value();
  JournalState state_;
  TemporaryFolder folder_;
};

TEST_F(LeaderboardOfClass, RanksRightSubmissionsByTheirWork) {
  state_.rules.leaderboard = LeaderboardNames::kNames;
  Attempt wrong = Right(1);
  wrong.report.cases[0].verdict = Verdict::kFailed;
  wrong.report.cases[0].complaints = {{.message = "element 3 is wrong"}};
  Attempt broken;
  Write({{"ann", Graded(Right(300))},
         {"bob", Graded(Right(200))},
         {"cat", Graded(Right(300))},
         {"dan", Graded(wrong)},
         {"eve", Graded(broken)}});
  EXPECT_EQ(Text("board.csv"),
            "place,name,speed,global_sectors,warp_instructions\n"
            "1,Name of bob,,200,10\n"
            "2,Name of ann,,300,10\n"
            "2,Name of cat,,300,10\n");
  EXPECT_THAT(Text("board.html"), HasSubstr("2 more submissions have no place"));
  EXPECT_EQ(Text("pseudonyms.csv"), "");
}

TEST_F(LeaderboardOfClass, RanksBySpeedWhereItWasMeasured) {
  state_.rules.leaderboard = LeaderboardNames::kNames;
  Attempt two = WithSpeed(WithSpeed(Right(300), "S.a", 2), "S.b", 0.5);
  Write({{"ann", Graded(two)},
         {"bob", Graded(WithSpeed(Right(200), "S.a", 0.9, SpeedRatio::Outcome::kMissed))},
         {"cat", Graded(WithSpeed(Right(100), "S.a", 0, SpeedRatio::Outcome::kNotMeasured))},
         {"dan", Graded(WithSpeed(Right(100), "S.a", 0, SpeedRatio::Outcome::kWrong))}});
  EXPECT_EQ(Text("board.csv"),
            "place,name,speed,global_sectors,warp_instructions\n"
            "1,Name of ann,1.00,300,10\n"
            "2,Name of bob,0.90,200,10\n"
            "3,Name of cat,,100,10\n");
}

// A submission that misses a target is right, and has a place behind those that move less.
TEST_F(LeaderboardOfClass, RanksSubmissionsThatMissATarget) {
  Attempt missed = Right(900);
  missed.report.cases[0].verdict = Verdict::kFailed;
  missed.report.cases[0].complaints = {{.message = "global memory: 900 sectors"}};
  missed.report.cases[0].targets = {{.measure = "global memory", .is_work = true, .met = false}};
  const auto row = StandingOf(Graded(missed));
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->work.sectors, 900U);
}

TEST_F(LeaderboardOfClass, ShowsNothingOfHiddenCriteria) {
  Attempt fails_hidden = Right(100);
  fails_hidden.report.cases[1].verdict = Verdict::kFailed;
  fails_hidden.report.cases[1].complaints = {{.message = "a zebra"}};
  Write({{"ann", Graded(Right(100))}, {"bob", Graded(fails_hidden)}});
  // Both have the first place: what the hidden test counts, and whether it passes, does not matter.
  EXPECT_THAT(Text("board.csv"), testing::ContainsRegex("\n1,[^\n]*,100,10\n1,[^\n]*,100,10\n"));
  EXPECT_THAT(Text("board.html"), Not(HasSubstr("ebra")));
}

// Students see a test that both a hidden and a shown criterion have.
TEST_F(LeaderboardOfClass, CountsATestThatAShownCriterionHasToo) {
  rubric_ = ParseRubric(std::string(kHidingRubric) +
                            "[[criterion]]\nname = \"Stripes\"\npoints = 0\ntests = \"Zebra.*\"\n",
                        "r")
                .value();
  Attempt fails = Right(100);
  fails.report.cases[1].verdict = Verdict::kFailed;
  fails.report.cases[1].complaints = {{.message = "a stripe is missing"}};
  Write({{"ann", Graded(Right(100))}, {"bob", Graded(fails)}});
  EXPECT_THAT(Text("board.csv"), testing::EndsWith(",1000100,20\n"));
  EXPECT_THAT(Text("board.html"), HasSubstr("1 more submission has no place"));
}

TEST_F(LeaderboardOfClass, ShowsPseudonymsUnlessTheCourseWantsNames) {
  Write({{"xyzzy", Graded(Right(100))}});
  const std::string pseudonym = Pseudonym("xyzzy", "digest of xyzzy");
  EXPECT_THAT(Text("board.html"), HasSubstr(pseudonym));
  EXPECT_THAT(Text("board.csv"), HasSubstr(pseudonym));
  for (const char* const file : {"board.html", "board.csv"}) {
    EXPECT_THAT(Text(file), Not(HasSubstr("xyzzy")));
  }
  EXPECT_EQ(Text("pseudonyms.csv"), "id,name,pseudonym\nxyzzy,Name of xyzzy," + pseudonym + "\n");
}

TEST_F(LeaderboardOfClass, GivesPseudonymsThatNeedTheFiles) {
  EXPECT_EQ(Pseudonym("xyzzy", "1"), Pseudonym("xyzzy", "1"));
  EXPECT_NE(Pseudonym("xyzzy", "1"), Pseudonym("ann", "2"));
  EXPECT_NE(Pseudonym("ann", "1"), Pseudonym("bob", "1"));
  EXPECT_THAT(Pseudonym("ann", "1"), testing::MatchesRegex("[a-z]+ [a-z]+ [0-9]+"));
}

TEST_F(LeaderboardOfClass, GivesNoPlaceWithoutCounts) {
  Attempt uncounted = Right(100);
  uncounted.report.launches[0].record.counters.Clear(Counter::kGlobalSectors);
  EXPECT_FALSE(StandingOf(Graded(uncounted)).has_value());
  Attempt idle = Right(100);
  idle.report.launches.clear();
  EXPECT_FALSE(StandingOf(Graded(idle)).has_value());
}

}  // namespace
}  // namespace warpcheck::batch
