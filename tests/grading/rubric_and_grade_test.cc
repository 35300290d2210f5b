#include <gtest/gtest.h>

#include "grading/grade.h"
#include "grading/rubric.h"

namespace warpcheck {
namespace {

std::string RubricErrorOf(std::string_view toml) {
  const auto rubric = ParseRubric(toml, "rubric.toml");
  return rubric ? "" : rubric.error().Text();
}

constexpr std::string_view kTwo = R"(title = "T"
[[criterion]]
name = "Right"
points = 40
tests = "*.Right/*"
[[criterion]]
name = "Fast"
points = 20.5
tests = "*.Fast"
requires = "right"
)";

CaseResult Case(std::string name, Verdict verdict) {
  CaseResult result;
  result.name = std::move(name);
  result.verdict = verdict;
  if (verdict != Verdict::kPassed) result.complaints.emplace_back().message = "no";
  return result;
}

Grade GradeWith(std::vector<CaseResult> cases) {
  Attempt attempt;
  attempt.build.artifact.emplace();
  attempt.report.cases = std::move(cases);
  return GradeOf(ParseRubric(kTwo, "rubric.toml").value(), std::move(attempt));
}

TEST(Rubric, SaysWhichLanguageIsTaken) {
  EXPECT_EQ(ParseRubric(kTwo, "rubric.toml")->language, compile::Language());
  const std::string with = "title = \"T\"\n[compile]\nstandard = 17\nflags = [\"-DTILE=16\"]\n";
  const auto language =
      ParseRubric(with + std::string(kTwo).substr(kTwo.find('\n') + 1), "rubric.toml")->language;
  EXPECT_EQ(language.standard, 17);
  EXPECT_EQ(language.flags, std::vector<std::string>{"-DTILE=16"});
  EXPECT_EQ(language.Command(), "nvcc -std=c++17 -O3 -DTILE=16");
}

TEST(Rubric, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(RubricErrorOf(kTwo), "");
  EXPECT_EQ(RubricErrorOf("title = \"T\"\n"),
            "rubric.toml:1:1: error: no criteria\n  add at least one [[criterion]] with name, "
            "points and tests");
  EXPECT_EQ(RubricErrorOf(std::string(kTwo) + "partial = 3\n"),
            "rubric.toml:11:11: error: \"partial\" must be true or false\n  write partial = true");
  EXPECT_EQ(RubricErrorOf(std::string(kTwo) +
                          "[[criterion]]\nname = \"Right\"\npoints = -1\ntests = \"*\"\n"),
            "rubric.toml:13:10: error: \"points\" must be a number from 0 to 1000000 with at most "
            "two decimals\n  write points = 40 or points = 12.5");
}

TEST(Grade, EarnsSkipsAndNeeds) {
  const Grade full =
      GradeWith({Case("T.Right/1", Verdict::kPassed), Case("T.Fast", Verdict::kPassed)});
  EXPECT_EQ(full.score.Text(), "60.5");
  EXPECT_TRUE(full.score_is_final);
  const Grade lost =
      GradeWith({Case("T.Right/1", Verdict::kFailed), Case("T.Fast", Verdict::kPassed)});
  EXPECT_EQ(lost.score.Text(), "0");
  EXPECT_EQ(lost.criteria[1].verdict, Verdict::kSkipped);
  const Grade open =
      GradeWith({Case("T.Right/1", Verdict::kPassed), Case("T.Fast", Verdict::kNotMeasured)});
  EXPECT_EQ(open.score.Text(), "40");
  EXPECT_FALSE(open.score_is_final);
  CaseResult not_judged = Case("T.Fast", Verdict::kSkipped);
  not_judged.complaints = {{.message = "not judged: no kernel", .where = {}, .hint = {}}};
  const Grade skipped = GradeWith({Case("T.Right/1", Verdict::kPassed), not_judged});
  EXPECT_EQ(skipped.score.Text(), "40");
  EXPECT_TRUE(skipped.score_is_final);
  EXPECT_EQ(skipped.criteria[1].verdict, Verdict::kSkipped);
  EXPECT_EQ(skipped.criteria[1].reason, "not judged: no kernel");
  const Grade judged_by_others = GradeWith(
      {Case("T.Right/1", Verdict::kPassed), not_judged, Case("T.Fast", Verdict::kPassed)});
  EXPECT_EQ(judged_by_others.score.Text(), "60.5") << "one that could not be judged says nothing";
  const Grade lost_by_others = GradeWith(
      {Case("T.Right/1", Verdict::kPassed), not_judged, Case("T.Fast", Verdict::kFailed)});
  EXPECT_EQ(lost_by_others.score.Text(), "40");
  const Grade hardly_judged = GradeWith({Case("T.Right/1", Verdict::kPassed), not_judged,
                                         not_judged, Case("T.Fast", Verdict::kPassed)});
  EXPECT_EQ(hardly_judged.score.Text(), "40") << "most cases of the criterion say nothing";
  EXPECT_EQ(hardly_judged.criteria[1].verdict, Verdict::kSkipped);
  EXPECT_EQ(hardly_judged.criteria[1].reason, "not judged: no kernel");
  not_judged.targets = {{.measure = "global memory", .is_work = true}};
  const Grade work_unknown = GradeWith(
      {Case("T.Right/1", Verdict::kPassed), not_judged, Case("T.Fast", Verdict::kPassed)});
  EXPECT_EQ(work_unknown.score.Text(), "40") << "work that was not counted meets no target";
  EXPECT_EQ(work_unknown.criteria[1].verdict, Verdict::kSkipped);
  const Grade unmatched = GradeWith({Case("T.Right/1", Verdict::kPassed)});
  EXPECT_EQ(unmatched.criteria[1].verdict, Verdict::kHarnessFault);
  EXPECT_FALSE(unmatched.score_is_final);
}

TEST(Grade, IsNotFinalWherePointsAreLostBesideWhatIsNotOffered) {
  const auto grade_with = [](FindingKind kind, Verdict fast) {
    Attempt attempt;
    attempt.build.artifact.emplace();
    attempt.report.cases = {Case("T.Right/1", Verdict::kPassed), Case("T.Fast", fast)};
    attempt.report.findings = {{"T.Fast", {.kind = kind}}};
    return GradeOf(ParseRubric(kTwo, "rubric.toml").value(), std::move(attempt));
  };
  for (const FindingKind kind : {FindingKind::kUnsupportedCall, FindingKind::kUnsupportedCode}) {
    EXPECT_FALSE(grade_with(kind, Verdict::kFailed).score_is_final);
    EXPECT_TRUE(grade_with(kind, Verdict::kPassed).score_is_final) << "it lost nothing";
  }
  EXPECT_TRUE(grade_with(FindingKind::kTrap, Verdict::kFailed).score_is_final);
}

}  // namespace
}  // namespace warpcheck
