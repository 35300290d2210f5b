#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/exactness/exactness_text.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kExact[] = "exact: a GPU gives the same bits for each instruction that ran";
constexpr char kNotExact[] =
    "not exact: ex2.approx.f32 at t.cu:3 is approximate, and a GPU may compute other last digits; "
    "a result depends on that at t.cu:4";

// Returns a grade in which a kernel ran.
Grade SomeGrade() {
  Attempt attempt;
  attempt.build.artifact.emplace();
  attempt.device = attempt.report.device = "emulator";
  CaseResult& result = attempt.report.cases.emplace_back();
  result.name = "A.A";
  result.verdict = Verdict::kPassed;
  attempt.report.launches.push_back({.case_name = "A.A", .record = {}});
  const auto rubric =
      ParseRubric("title = \"T\"\n[[criterion]]\nname = \"R\"\npoints = 4\ntests = \"*\"\n", "r");
  return GradeOf(rubric.value(), std::move(attempt));
}

CaseApproximation Exponential(const std::string& name, int line, bool used) {
  return {.case_name = name,
          .approximation = {.instruction = "ex2.approx.f32",
                            .where = {.file = "t.cu", .line = line},
                            .used = used,
                            .use = {.file = "t.cu", .line = line + 1}}};
}

Finding FindingOf(FindingKind kind) {
  Finding finding;
  finding.kind = kind;
  return finding;
}

Grade Inexact() {
  Grade grade = SomeGrade();
  grade.attempt.report.approximations = {Exponential("A.A", 3, true), Exponential("A.B", 3, true)};
  return grade;
}

TEST(ExactnessOfAGrade, IsSaidWhereNothingIsApproximate) {
  EXPECT_EQ(ExactnessText(SomeGrade()), kExact);
}

TEST(ExactnessOfAGrade, NamesAnInstructionOfSeveralCasesOnce) {
  EXPECT_EQ(ExactnessText(Inexact()), kNotExact);
}

TEST(ExactnessOfAGrade, PrefersWhatAResultDependsOn) {
  Grade grade = SomeGrade();
  grade.attempt.report.approximations = {Exponential("A.A", 9, false)};
  EXPECT_EQ(ExactnessText(grade),
            "not exact: ex2.approx.f32 at t.cu:9 is approximate, and a GPU may compute other last "
            "digits; no result depends on that");
  grade.attempt.report.approximations.push_back(Exponential("A.A", 3, true));
  EXPECT_EQ(ExactnessText(grade),
            "not exact: ex2.approx.f32 at t.cu:3 and 1 more are approximate, and a GPU may compute "
            "other last digits; a result depends on that at t.cu:4");
}

TEST(ExactnessOfAGrade, NamesLimitsOfLaunchesAndOfTheProgramOnce) {
  Grade grade = SomeGrade();
  const Finding stopped = FindingOf(FindingKind::kBudgetExceeded);
  grade.attempt.report.launches[0].record.findings = {stopped, stopped};
  grade.attempt.report.findings = {{"A.A", FindingOf(FindingKind::kUnsupportedCall)}};
  EXPECT_EQ(ExactnessText(grade),
            "not exact: a kernel was stopped at its budget of instructions; the program calls a "
            "function that is not offered");
}

TEST(ExactnessOfAGrade, LeavesMistakesToTheirFindings) {
  Grade grade = SomeGrade();
  grade.attempt.report.launches[0].record.findings = {FindingOf(FindingKind::kOutOfBoundsRead)};
  EXPECT_EQ(ExactnessText(grade),
            "exact, apart from the findings below: a GPU gives the same bits for each instruction "
            "that ran");
}

TEST(ExactnessOfAGrade, NamesNoFindingsBelowIfNoneAreShown) {
  Grade grade = SomeGrade();
  grade.attempt.report.findings = {{"A.A", FindingOf(FindingKind::kLeak)}};
  EXPECT_EQ(ExactnessText(grade), kExact);
}

TEST(ExactnessOfAGrade, HasNoPlaceWithoutALine) {
  Grade grade = SomeGrade();
  grade.attempt.report.approximations = {Exponential("A.A", 3, true)};
  grade.attempt.report.approximations[0].approximation.where = {};
  grade.attempt.report.approximations[0].approximation.use = {};
  EXPECT_EQ(ExactnessText(grade),
            "not exact: ex2.approx.f32 is approximate, and a GPU may compute other last digits; a "
            "result depends on that");
}

TEST(ExactnessOfAGrade, IsEmptyWhereNothingWasEmulated) {
  Grade nothing_ran = SomeGrade();
  nothing_ran.attempt.report.launches.clear();
  EXPECT_EQ(ExactnessText(nothing_ran), "");
  EXPECT_THAT(TerminalReport(nothing_ran, {}), Not(HasSubstr("exact")));
  EXPECT_THAT(HtmlReport(nothing_ran), Not(HasSubstr("exact:")));
  Grade on_a_gpu = SomeGrade();
  on_a_gpu.attempt.report.device = "gpu";
  EXPECT_EQ(ExactnessText(on_a_gpu), "");
}

TEST(ExactnessOfAGrade, IsInEachReportThatAPersonReadsAndChangesNoScore) {
  const Grade grade = Inexact();
  EXPECT_EQ(grade.score.Text(), "4");
  EXPECT_THAT(TerminalReport(grade, {.colours = false, .width = 1000}),
              HasSubstr("not exact: ex2.approx.f32 at t.cu:3 is approximate"));
  for (const std::string& report : {HtmlReport(grade), JunitReport(grade), JsonReport(grade),
                                    GradescopeReport(grade), SummaryReport(grade)}) {
    EXPECT_THAT(report, HasSubstr(kNotExact));
  }
  EXPECT_THAT(JunitReport(grade), HasSubstr("<property name=\"exactness\""));
  const auto json = nlohmann::json::parse(JsonReport(grade));
  EXPECT_EQ(json["exactness"], kNotExact);
  EXPECT_EQ(json["approximations"].size(), 2U);
}

}  // namespace
}  // namespace warpcheck
