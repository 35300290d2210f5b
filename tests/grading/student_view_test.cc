#include "grading/student_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kRubric[] = R"(# secret comment
title = "T"
[[criterion]]
name = "Shown"
points = 60
tests = "A.*"
[[criterion]]
name = "A secret"
hidden = true
points = 25
tests = "Secret.*"
[[criterion]]
id = "more"
name = "More secrets"
hidden = true
requires = "a-secret"
points = 15
tests = "A.*"
)";

Rubric Read(std::string_view text) {
  const auto rubric = ParseRubric(text, "rubric.toml");
  EXPECT_TRUE(rubric) << rubric.error().Text();
  return rubric.value_or(Rubric());
}

Attempt AttemptWith(Verdict secret) {
  Attempt attempt;
  attempt.build.artifact.emplace();
  for (const char* const name : {"A.One", "Secret.Two"}) {
    CaseResult& result = attempt.report.cases.emplace_back();
    result.name = name;
    result.verdict = name[0] == 'S' ? secret : Verdict::kPassed;
    if (result.verdict != Verdict::kPassed) result.complaints.emplace_back().message = "secret";
    attempt.report.launches.emplace_back().case_name = name;
    attempt.report.findings.emplace_back().case_name = name;
    attempt.report.timelines.emplace_back().case_name = name;
    attempt.report.approximations.emplace_back().case_name = name;
  }
  attempt.report.device_output = "secret";
  attempt.witness.emplace().report = attempt.report;
  attempt.witness->disagreements.emplace_back().case_name = "Secret.Two";
  return attempt;
}

TEST(StudentView, LeavesOutWhatIsHidden) {
  const Grade grade = GradeOf(Read(kRubric), AttemptWith(Verdict::kFailed));
  EXPECT_EQ(grade.score.Text(), "60");
  EXPECT_EQ(grade.max_score.Text(), "100");
  EXPECT_TRUE(HidesSomething(grade));
  const Grade shown = StudentView(grade);
  EXPECT_EQ(shown.score.Text(), "60");
  EXPECT_EQ(shown.max_score.Text(), "60");
  EXPECT_EQ(shown.verdict, Verdict::kPassed);
  ASSERT_EQ(shown.criteria.size(), 2U);
  EXPECT_EQ(shown.criteria[1].name, "Hidden tests: 40 points, shown after the deadline");
  EXPECT_THAT(ToJson(shown).dump(), Not(HasSubstr("ecret")));
  for (const ChecksReport* report : {&shown.attempt.report, &shown.attempt.witness->report}) {
    EXPECT_EQ(report->cases.size(), 1U);
    EXPECT_EQ(report->launches.size(), 1U);
    EXPECT_EQ(report->findings.size(), 1U);
    EXPECT_EQ(report->timelines.size(), 1U);
    EXPECT_EQ(report->approximations.size(), 1U);
  }
  EXPECT_FALSE(HidesSomething(shown)) << "a view of a view is the same";
  EXPECT_FALSE(HidesSomething(StaffView(grade)));
  EXPECT_EQ(StaffView(grade).criteria.size(), 3U);
}

TEST(StudentView, SaysThatAHiddenTestWasNotMeasured) {
  const Grade grade = GradeOf(Read(kRubric), AttemptWith(Verdict::kNotMeasured));
  EXPECT_FALSE(grade.score_is_final);
  EXPECT_FALSE(StudentView(grade).score_is_final) << "the mark is not final for the staff either";
}

TEST(StudentView, HasOfExperimentsWhatTheRubricGives) {
  Attempt attempt = AttemptWith(Verdict::kPassed);
  Experiments& experiments = attempt.report.experiments.emplace();
  experiments.cures = {{.kind = "comparison", .change = "`<=` in place of `<`"}};
  const Grade hides = GradeOf(Read(kRubric), attempt);
  EXPECT_FALSE(StudentView(hides).attempt.report.experiments) << "hidden tests took part";
  const Rubric shows =
      Read("title = \"T\"\n[[criterion]]\nname = \"A\"\npoints = 1\ntests = \"*\"\n");
  const auto cure_given = [&](Given given) {
    experiments.given = given;
    return StudentView(GradeOf(shows, attempt)).attempt.report.experiments->cures.front();
  };
  EXPECT_EQ(cure_given(Given::kLine).kind, "");
  EXPECT_EQ(cure_given(Given::kKind).kind, "comparison");
  EXPECT_EQ(cure_given(Given::kKind).change, "");
  EXPECT_EQ(cure_given(Given::kChange).change, "`<=` in place of `<`");
}

TEST(StudentView, SurvivesTheJournal) {
  const Grade grade = GradeOf(Read(kRubric), AttemptWith(Verdict::kFailed));
  EXPECT_TRUE(HidesSomething(GradeFrom(ToJson(grade))));
}

TEST(RubricForStudents, SaysOnlyHowManyPointsAreHidden) {
  const std::string text = RubricForStudents(kRubric);
  EXPECT_THAT(text, Not(HasSubstr("ecret")));
  const Rubric rubric = Read(text);
  EXPECT_EQ(rubric.criteria.size(), 1U);
  EXPECT_EQ(rubric.hidden_points.Text(), "40");
  // The checks program still has the hidden tests, and reports them.
  const Grade grade = GradeOf(rubric, AttemptWith(Verdict::kFailed));
  EXPECT_TRUE(grade.information.empty());
  const Grade shown = StudentView(grade);
  EXPECT_THAT(ToJson(shown).dump(), Not(HasSubstr("ecret")));
  EXPECT_EQ(shown.criteria.back().name, "Hidden tests: 40 points, shown after the deadline");
  EXPECT_EQ(shown.score.Text(), "60");

  const std::string all =
      "title = \"T\"  # a comment\n[[criterion]]\nname = \"A\"\npoints = 1\ntests = \"*\"\n";
  EXPECT_EQ(RubricForStudents(all), all) << "nothing is hidden, so nothing changes";
}

TEST(RubricForStudents, HasNoCriterionThatWouldNameAHiddenOne) {
  const auto rubric = ParseRubric(
      "title = \"T\"\n[[criterion]]\nname = \"A\"\npoints = 1\ntests = \"*\"\nrequires = \"b\"\n"
      "[[criterion]]\nname = \"B\"\nhidden = true\npoints = 1\ntests = \"*\"\n",
      "rubric.toml");
  ASSERT_FALSE(rubric);
  EXPECT_THAT(rubric.error().Text(),
              HasSubstr("rubric.toml:6:12: error: requires \"b\", which is hidden"));
  const auto number = ParseRubric(
      "title = \"T\"\n[[criterion]]\nname = \"A\"\npoints = 1\ntests = \"*\"\nhidden = 1\n", "r");
  ASSERT_FALSE(number);
  EXPECT_THAT(number.error().Text(), HasSubstr("\"hidden\" must be true or false"));
}

// Without points a student's rubric would not show that tests are hidden, and would list them.
TEST(RubricForStudents, HasHiddenPointsForEachHiddenCriterion) {
  const auto rubric = ParseRubric(
      "title = \"T\"\n[[criterion]]\nname = \"A\"\npoints = 1\ntests = \"*\"\n"
      "[[criterion]]\nname = \"B\"\nhidden = true\npoints = 0\ntests = \"*\"\n",
      "rubric.toml");
  ASSERT_FALSE(rubric);
  EXPECT_THAT(rubric.error().Text(),
              HasSubstr("rubric.toml:9:10: error: a hidden criterion cannot have 0 points"));
}

}  // namespace
}  // namespace warpcheck
