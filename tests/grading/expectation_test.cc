#include "grading/expectation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string ErrorOf(const std::string& source) {
  const auto expectation = ParseExpectation(source, "failed/x.cu");
  return expectation ? "" : expectation.error().Text();
}

TEST(Expectation, ReadsWhatAFileSaysOfItself) {
  const auto expectation = ParseExpectation(
      "// score: 62.5\r\n// says: one thing  \n  out[i] = 1;  // expect: sectors\n", "x.cu");
  ASSERT_TRUE(expectation) << expectation.error().Text();
  EXPECT_EQ(expectation->score.Text(), "62.5");
  EXPECT_THAT(expectation->says, ElementsAre("one thing"));
  EXPECT_THAT(expectation->lines, ElementsAre(LineExpectation{3, "sectors"}));
}

TEST(Expectation, WantsExperimentsToFindAMarkedLine) {
  const auto expectation =
      ParseExpectation("// score: 0\nout[i] = 1;  // mistake\n// mistakes are no mark\n", "x.cu");
  ASSERT_TRUE(expectation) << expectation.error().Text();
  EXPECT_THAT(expectation->mistakes, ElementsAre(2));
  Grade grade;
  EXPECT_THAT(Unmet(*expectation, grade),
              ElementsAre("no experiment finds that a change of line 2 helps"));
  grade.attempt.report.experiments.emplace().cures = {{.where = {.file = "x.cu", .line = 2}}};
  EXPECT_THAT(Unmet(*expectation, grade), IsEmpty());
}

TEST(Expectation, OfAnEmptyFileIsNoPoints) {
  const auto expectation = ParseExpectation("", "x.cu");
  ASSERT_TRUE(expectation) << expectation.error().Text();
  EXPECT_EQ(expectation->score, Points());
  EXPECT_THAT(expectation->says, IsEmpty());
  EXPECT_THAT(expectation->lines, IsEmpty());
}

TEST(Expectation, RefusesAFileWithoutAScore) {
  EXPECT_EQ(ErrorOf("int x;  // scores of them\n"),
            "failed/x.cu:1: error: this test submission has no score\n  write // score: 60, with "
            "the points that it must get");
}

TEST(Expectation, RefusesWhatItCannotHold) {
  EXPECT_EQ(ErrorOf("\n// score: sixty\n"),
            "failed/x.cu:2: error: \"sixty\" is not a score\n  write // score: 60");
  EXPECT_EQ(ErrorOf("// score: 60 points\n"),
            "failed/x.cu:1: error: \"60 points\" is not a score\n  write // score: 60");
  EXPECT_EQ(ErrorOf("// score: -1\n"),
            "failed/x.cu:1: error: \"-1\" is not a score\n  write // score: 60");
  EXPECT_EQ(ErrorOf("// score: nan\n"),
            "failed/x.cu:1: error: \"nan\" is not a score\n  write // score: 60");
  EXPECT_EQ(ErrorOf("// score:\n"),
            "failed/x.cu:1: error: \"\" is not a score\n  write // score: 60");
  EXPECT_EQ(ErrorOf("// score: 60\n// score: 60\n"),
            "failed/x.cu:2: error: this is a second score\n  a file gets one score");
  EXPECT_EQ(ErrorOf("// says: \n"),
            "failed/x.cu:1: error: this expectation has no text\n  write // says: TEXT or // "
            "expect: TEXT");
  EXPECT_EQ(ErrorOf("x;  // expect:\n"),
            "failed/x.cu:1: error: this expectation has no text\n  write // says: TEXT or // "
            "expect: TEXT");
}

Complaint ComplaintOf(std::string message, int line) {
  Complaint complaint;
  complaint.message = std::move(message);
  complaint.where.line = line;
  return complaint;
}

// Returns a grade of 40 points with two complaints of a case: one about line 2, and one about line
// 7.
Grade GradeOfTwoComplaints() {
  Grade grade;
  grade.score = Points::FromHundredths(40'00);
  CaseResult& result = grade.criteria.emplace_back().cases.emplace_back();
  result.complaints = {ComplaintOf("all well", 2), ComplaintOf("bad sectors", 7)};
  return grade;
}

Expectation ExpectationOf(int score, std::vector<std::string> says,
                          std::vector<LineExpectation> lines) {
  Expectation expectation;
  expectation.score = Points::FromHundredths(std::int64_t{score} * 100);
  expectation.says = std::move(says);
  expectation.lines = std::move(lines);
  return expectation;
}

TEST(Expectation, IsMetByEveryComplaintOfTheGrade) {
  EXPECT_THAT(Unmet(ExpectationOf(40, {"well", "bad"}, {{2, "all"}, {7, "sectors"}}),
                    GradeOfTwoComplaints()),
              IsEmpty());
}

TEST(Expectation, NamesWhatTheGradeDoesNotHold) {
  EXPECT_THAT(
      Unmet(ExpectationOf(60, {"worse"}, {{2, "sectors"}, {3, "all"}}), GradeOfTwoComplaints()),
      ElementsAre("the score should be 60, but is 40", "no complaint says \"worse\"",
                  "no complaint says \"sectors\" about line 2",
                  "no complaint says \"all\" about line 3"));
}

TEST(Expectation, MayBeAScoreThatIsNotFinal) {
  const auto expectation = ParseExpectation("// score: 0\n// final: no\n", "x.cu");
  ASSERT_TRUE(expectation) << expectation.error().Text();
  Grade grade;
  EXPECT_THAT(Unmet(*expectation, grade), IsEmpty());
  grade.score_is_final = true;
  EXPECT_THAT(Unmet(*expectation, grade), ElementsAre("the score should not be final, but is"));
  EXPECT_EQ(ErrorOf("// score: 0\n// final: yes\n"),
            "failed/x.cu:2: error: \"yes\" is not known here\n  write // final: no, or no such "
            "line for a final score");
}

TEST(Expectation, ReadsTheCompilersFirstError) {
  Grade grade;
  compile::CompileError& error = grade.attempt.build.error.emplace();
  error.message = "identifier \"k\" is undefined";
  error.where.line = 9;
  EXPECT_THAT(Unmet(ExpectationOf(0, {}, {{9, "undefined"}}), grade), IsEmpty());
}

}  // namespace
}  // namespace warpcheck
