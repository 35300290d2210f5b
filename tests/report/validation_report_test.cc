#include "report/terminal/validation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

KnownSubmissionResult ResultOf(std::string name, int score, std::optional<Verdict> verdict) {
  KnownSubmissionResult result;
  result.name = std::move(name);
  result.score = Points::FromHundredths(std::int64_t{score} * 100);
  result.verdict = verdict;
  result.seconds = 0.25;
  result.warp_instructions = 4'121'104;
  return result;
}

CriterionProof ProofOf(std::string id, int points, int lost_by, int alone) {
  CriterionProof proof;
  proof.id = std::move(id);
  proof.points = Points::FromHundredths(std::int64_t{points} * 100);
  proof.lost_by = lost_by;
  proof.alone = alone;
  return proof;
}

Validation GoodValidation() {
  Validation validation;
  validation.title = "Task";
  validation.total = Points::FromHundredths(100'00);
  validation.submissions = {ResultOf("reference/task.cu", 100, Verdict::kPassed),
                            ResultOf("tests/submissions/task/failed/a.cu", 60, Verdict::kFailed)};
  validation.criteria = {ProofOf("right", 60, 1, 0), ProofOf("fast", 40, 1, 1),
                         ProofOf("shown", 0, 0, 0)};
  return validation;
}

TEST(ValidationReport, IsATableOfProgramsAndOneOfCriteria) {
  EXPECT_EQ(ValidationReport(GoodValidation(), {}),
            "Task: 100 points\n"
            "\n"
            "           score  verdict    seconds   warp instructions  program\n"
            "  ok         100  passed         0.2             4121104  reference/task.cu\n"
            "  ok          60  failed         0.2             4121104  "
            "tests/submissions/task/failed/a.cu\n"
            "\n"
            "          points  lost by  alone  criterion\n"
            "  ok          60        1      0  right\n"
            "  ok          40        1      1  fast\n"
            "  ok           0        0      0  shown\n"
            "\n"
            "All 2 programs get the expected grade.\n");
}

TEST(ValidationReport, PutsProblemsUnderWhatTheyAreAbout) {
  Validation validation = GoodValidation();
  validation.submissions[1] = ResultOf("failed/a.cu", 0, std::nullopt);
  validation.submissions[1].undecided = true;
  validation.submissions[1].problems = {"error: the disk is full\n  make room"};
  validation.criteria[1].lost_by = 0;
  validation.problems = {"no test submission loses \"fast\""};
  EXPECT_EQ(
      ValidationReport(validation, {}),
      "Task: 100 points\n\n           score  verdict    seconds   warp instructions  program\n  ok "
      "        100  passed         0.2             4121104  reference/task.cu\n  WRONG        -  "
      "none           0.2             4121104  failed/a.cu\n         error: the disk is full\n     "
      "      make room\n\n          points  lost by  alone  criterion\n  ok          60        1   "
      "   0  right\n  WRONG       40        0      1  fast\n  ok           0        0      0  "
      "shown\n\n  no test submission loses \"fast\"\nSome results are missing: grading itself "
      "failed, or a counter was not measured.\n2 problems with 2 programs.\n");
}

TEST(ValidationReport, SaysOfHowManyProgramsTheGpuWasNoWitness) {
  Validation validation = GoodValidation();
  EXPECT_THAT(ValidationReport(validation, {}), Not(HasSubstr("witness")));
  validation.submissions.front().no_witness = "It was not used: the driver is too old";
  EXPECT_THAT(ValidationReport(validation, {}),
              HasSubstr("\nThe GPU was no witness of 1 program. It was not used: the driver is too "
                        "old.\n"));
}

TEST(ValidationReport, PaintsWhereThereAreColours) {
  const std::string painted = ValidationReport(GoodValidation(), {.colours = true, .width = 80});
  EXPECT_NE(painted.find("\033["), std::string::npos);
}

}  // namespace
}  // namespace warpcheck
