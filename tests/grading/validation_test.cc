#include "grading/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr const char* kHandout =
    "# Task\n\nCompiled by `nvcc -std=c++20 -O3`.\n\n| points | criterion |\n|---|---|\n| 60 | "
    "right |\n| 40 | fast |\n\n| 7 | other |\n";

Rubric TwoCriteria(const char* second_points = "40") {
  const std::string toml = std::string("title = \"Task\"\n") +
                           "[[criterion]]\nid = \"right\"\nname = \"Right\"\npoints = 60\ntests = "
                           "\"*.Right\"\n[[criterion]]\nid = \"fast\"\nname = \"Fast\"\npoints = " +
                           second_points + "\ntests = \"*.Fast\"\nrequires = \"right\"\n";
  return ParseRubric(toml, "rubric.toml").value();
}

CaseResult CaseOf(const char* name, Verdict verdict) {
  CaseResult result;
  result.name = name;
  result.verdict = verdict;
  if (verdict != Verdict::kPassed) result.complaints.emplace_back().message = "as it happens";
  return result;
}

// Returns an attempt that was built, with these verdicts for its two cases.
Grade GradeWith(Verdict right, Verdict fast) {
  Attempt attempt;
  attempt.build.artifact.emplace();
  attempt.build_seconds = 0.5;
  attempt.checks_seconds = 1;
  attempt.report.cases = {CaseOf("T.Right", right), CaseOf("T.Fast", fast)};
  CaseLaunch& launch = attempt.report.launches.emplace_back();
  launch.record.counters.Set(Counter::kWarpInstructions, 1000);
  attempt.report.launches.push_back(launch);
  return GradeOf(TwoCriteria(), std::move(attempt));
}

Grade GradeThatDoesNotCompile() {
  Attempt attempt;
  attempt.build.error.emplace().message = "expected a ;";
  return GradeOf(TwoCriteria(), std::move(attempt));
}

KnownSubmission KnownSubmissionOf(std::optional<Verdict> verdict, int score) {
  KnownSubmission submission;
  submission.name = "some.cu";
  submission.verdict = verdict;
  submission.expectation.score = Points::FromHundredths(std::int64_t{score} * 100);
  return submission;
}

constexpr Verdict kGood = Verdict::kPassed;
constexpr Verdict kBad = Verdict::kFailed;

TEST(Examine, IsContentWithWhatWasExpected) {
  const KnownSubmissionResult result = Examine(KnownSubmissionOf(kBad, 60), GradeWith(kGood, kBad));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.name, "some.cu");
  EXPECT_EQ(result.score.Text(), "60");
  EXPECT_EQ(result.verdict, kBad);
  EXPECT_FALSE(result.undecided);
  EXPECT_THAT(result.lost, ElementsAre(1));
  EXPECT_EQ(result.warp_instructions, 2000);
  EXPECT_DOUBLE_EQ(result.seconds, 1.5);
}

TEST(Examine, IndexesProgramsByTheFindingsOfTheirReports) {
  Grade grade = GradeWith(kBad, kBad);
  grade.attempt.report.cases[0].complaints[0].kind = ComplaintKind::kSharedRace;
  grade.attempt.report.cases[1].complaints[0].kind = ComplaintKind::kSharedRace;
  Complaint& leak = grade.attempt.report.cases[1].complaints.emplace_back();
  leak.kind = ComplaintKind::kLeak;
  KnownSubmission other = KnownSubmissionOf(kBad, 0);
  other.name = "other.cu";
  EXPECT_EQ(IndexOf({Examine(KnownSubmissionOf(kBad, 0), grade), Examine(other, grade)}),
            "leak other.cu\nleak some.cu\nshared_race other.cu\nshared_race some.cu\n");
  EXPECT_EQ(IndexOf({Examine(KnownSubmissionOf(kBad, 0), GradeWith(kBad, kBad))}), "");
}

TEST(Examine, NamesAnotherScoreAndAnotherVerdict) {
  EXPECT_THAT(Examine(KnownSubmissionOf(kBad, 60), GradeWith(kGood, kGood)).problems,
              ElementsAre("the score should be 60, but is 100",
                          "the verdict should be failed, but is passed"));
}

TEST(Examine, CountsWhatASubmissionLosesByItself) {
  EXPECT_THAT(Examine(KnownSubmissionOf(kBad, 0), GradeWith(kBad, kBad)).lost, ElementsAre(0))
      << "the second is skipped";
  EXPECT_THAT(Examine(KnownSubmissionOf(Verdict::kError, 0), GradeThatDoesNotCompile()).lost,
              IsEmpty());
}

TEST(Examine, TakesTheSkeletonForNoProofAndWantsItToCompile) {
  const KnownSubmissionResult empty =
      Examine(KnownSubmissionOf(std::nullopt, 0), GradeWith(kBad, kBad));
  EXPECT_THAT(empty.problems, IsEmpty());
  EXPECT_THAT(empty.lost, IsEmpty());
  EXPECT_THAT(Examine(KnownSubmissionOf(std::nullopt, 0), GradeThatDoesNotCompile()).problems,
              ElementsAre("it does not compile: expected a ;"));
  EXPECT_THAT(Examine(KnownSubmissionOf(std::nullopt, 0), GradeWith(kGood, kBad)).problems,
              ElementsAre("the score should be 0, but is 60"));
}

TEST(Examine, ComparesWhatTheReferenceCountsWithTheRecord) {
  KnownSubmission reference = KnownSubmissionOf(kGood, 100);
  Grade grade = GradeWith(kGood, kGood);
  CaseResult result{.name = "Task.Is/1"};
  result.comparisons = {
      {.call = "f() 1", .counter = "global_sectors", .count = 104, .reference = 100},
      {.call = "f() 2", .counter = "global_sectors", .count = 106, .reference = 100},
      {.call = "f() 3", .counter = "global_sectors", .count = 7}};
  grade.attempt.report.cases.push_back(result);
  EXPECT_THAT(Examine(reference, grade).problems, IsEmpty());  // it is not the reference
  reference.is_reference = true;
  EXPECT_THAT(
      Examine(reference, grade).problems,
      ElementsAre("f() 2: the global_sectors of the reference is 106, and 100 is recorded: "
                  "run `warpcheck validate NAME --record`, and build the checks again",
                  "f() 3: the global_sectors of the reference is 7, and nothing is recorded: "
                  "run `warpcheck validate NAME --record`, and build the checks again"));
}

TEST(Examine, KeepsWhyTheGpuWasNoWitness) {
  Grade grade = GradeWith(kGood, kBad);
  EXPECT_EQ(Examine(KnownSubmissionOf(kBad, 60), grade).no_witness, "");
  grade.attempt.witness.emplace().missing = "It was not used";
  const KnownSubmissionResult result = Examine(KnownSubmissionOf(kBad, 60), grade);
  EXPECT_EQ(result.no_witness, "It was not used");
  EXPECT_THAT(result.problems, IsEmpty());
}

TEST(Examine, SeesWhatWasNotDecided) {
  const KnownSubmissionResult unmeasured =
      Examine(KnownSubmissionOf(kBad, 0), GradeWith(kGood, Verdict::kNotMeasured));
  EXPECT_TRUE(unmeasured.undecided);
  EXPECT_THAT(unmeasured.problems, ElementsAre("it could not be judged: T.Fast: as it happens"));
  compile::Failure failure;
  failure.message = "the disk is full";
  const KnownSubmissionResult result = NotGraded(KnownSubmissionOf(kBad, 60), failure);
  EXPECT_TRUE(result.undecided);
  EXPECT_EQ(result.verdict, std::nullopt);
  EXPECT_THAT(result.problems, ElementsAre("error: the disk is full"));
  failure.blame = compile::Failure::Blame::kSubmission;
  EXPECT_FALSE(NotGraded(KnownSubmissionOf(kBad, 60), failure).undecided);
}

TEST(Conclude, CountsWhoLosesEachCriterion) {
  std::vector<KnownSubmissionResult> results(3);
  results[0].lost = {0};
  results[1].lost = {0, 1};
  results[2].lost = {0};
  const Validation validation = Conclude(TwoCriteria(), kHandout, results, {});
  ASSERT_EQ(validation.criteria.size(), 2);
  EXPECT_EQ(validation.criteria[0].lost_by, 3);
  EXPECT_EQ(validation.criteria[0].alone, 2);
  EXPECT_EQ(validation.criteria[1].lost_by, 1);
  EXPECT_EQ(validation.criteria[1].alone, 0);
  EXPECT_THAT(validation.problems, IsEmpty());
  EXPECT_EQ(validation.Problems(), 0);
  EXPECT_FALSE(validation.undecided());
}

TEST(Conclude, NamesACriterionThatNobodyLoses) {
  std::vector<KnownSubmissionResult> results(1);
  results[0].lost = {0};
  results[0].problems = {"one of its own"};
  results[0].undecided = true;
  Error problem;
  problem.message = "there is no reference/task.cu";
  const Validation validation = Conclude(TwoCriteria(), kHandout, results, {problem});
  EXPECT_THAT(
      validation.problems,
      ElementsAre("error: there is no reference/task.cu",
                  "no test submission loses \"fast\": so nothing proves that its checks work"));
  EXPECT_EQ(validation.Problems(), 3);
  EXPECT_TRUE(validation.undecided());
}

// Perfect accesses that nobody needs improve a ratio, so a ratio must not be the only target.
TEST(Conclude, NamesACriterionThatRestsOnARatioAlone) {
  Attempt attempt;
  attempt.build.artifact.emplace();
  attempt.report.cases = {CaseOf("T.Right", Verdict::kPassed), CaseOf("T.Fast", Verdict::kPassed)};
  CaseResult& fast = attempt.report.cases[1];
  fast.targets = {{"coalescing", false}};
  const auto problems = [&] {
    const KnownSubmissionResult result =
        Examine(KnownSubmissionOf(std::nullopt, 100), GradeOf(TwoCriteria(), attempt));
    return Conclude(TwoCriteria(), kHandout, {result, result}, {}).problems;
  };
  const std::string problem =
      "\"fast\" depends only on coalescing, which needless perfect accesses improve: also bound "
      "the "
      "work in this test, with a matcher whose name ends in Within";
  EXPECT_THAT(problems(), testing::Contains(problem).Times(1));
  fast.targets.push_back({"global memory", true});
  EXPECT_THAT(problems(), testing::Not(testing::Contains(problem)));
}

TEST(ProblemInShortage, WantsAFinalGradeThatSaysWhy) {
  const auto problem = [](Verdict right, Verdict fast) {
    return ProblemInShortage(GradeWith(right, fast), Shortage::kBytes).value_or("");
  };
  EXPECT_EQ(problem(Verdict::kPassed, Verdict::kPassed), "");
  EXPECT_EQ(problem(Verdict::kError, Verdict::kSkipped), "");
  EXPECT_EQ(
      problem(Verdict::kHarnessFault, Verdict::kSkipped),
      "a program that uses up its budget (shortage of bytes) could not be judged: T.Right: as "
      "it happens");
  EXPECT_EQ(problem(Verdict::kSkipped, Verdict::kSkipped),
            "a program that uses up its budget (shortage of bytes) loses points, and no case says "
            "why");
}

TEST(Conclude, AddsThePointsUp) {
  std::vector<KnownSubmissionResult> results(1);
  results[0].lost = {0, 1};
  EXPECT_THAT(Conclude(TwoCriteria("30.5"), kHandout, results, {}).problems,
              ElementsAre("the points add up to 90.5, not to 100",
                          "the handout promises 60 + 40 points, the rubric gives 60 + 30.5"));
  EXPECT_THAT(
      Conclude(TwoCriteria(), "# Task\n\n| 60 | right |\n", results, {}).problems,
      ElementsAre(
          "the handout does not say how it is graded: it needs a table \"| points | criterion |\"",
          "the handout does not say how submissions are compiled: it needs `nvcc -std=c++20 -O3`"));
}

TEST(Conclude, ComparesTheLanguageWithTheHandout) {
  std::vector<KnownSubmissionResult> results(1);
  results[0].lost = {0, 1};
  Rubric rubric = TwoCriteria();
  rubric.language.flags = {"--extended-lambda"};
  EXPECT_THAT(Conclude(rubric, kHandout, results, {}).problems,
              ElementsAre("the handout does not say how submissions are compiled: it needs `nvcc "
                          "-std=c++20 -O3 --extended-lambda`"));
}

class FindSpecimensTest : public testing::Test {
 protected:
  KnownSubmissions Find() const {
    Assignment assignment;
    assignment.name = "task";
    return FindKnownSubmissions(folder_.path(), assignment, TwoCriteria());
  }
  std::vector<std::string> Problems() const {
    std::vector<std::string> texts;
    for (const Error& problem : Find().problems) texts.push_back(problem.Text());
    return texts;
  }

  TemporaryFolder folder_;
};

TEST_F(FindSpecimensTest, FindsTheAssignmentsOwnFilesThenTheTestsByName) {
  folder_.Write("reference/task.cu", "// score: 7\n");
  folder_.Write("student_template/task.cu", "");
  folder_.Write("tests/submissions/task/passed/b.cu", "// score: 100\n");
  folder_.Write("tests/submissions/task/failed/c.cu", "// score: 60\n// says: sectors\n");
  folder_.Write("tests/submissions/task/failed/a.cu", "");
  folder_.Write("tests/submissions/task/error/d.cu", "");
  folder_.Write("tests/submissions/other/error/e.cu", "");
  const KnownSubmissions found = Find();
  EXPECT_THAT(found.problems, IsEmpty());
  std::vector<std::pair<std::string, std::string>> names;
  for (const KnownSubmission& submission : found.all) {
    names.emplace_back(submission.name, submission.verdict ? Name(*submission.verdict) : "any");
  }
  EXPECT_THAT(names, ElementsAre(Pair("reference/task.cu", "passed"),
                                 Pair("student_template/task.cu", "any"),
                                 Pair("tests/submissions/task/error/d.cu", "error"),
                                 Pair("tests/submissions/task/failed/a.cu", "failed"),
                                 Pair("tests/submissions/task/failed/c.cu", "failed"),
                                 Pair("tests/submissions/task/passed/b.cu", "passed")));
  EXPECT_EQ(found.all[0].expectation.score.Text(), "100") << "whatever the file says";
  EXPECT_EQ(found.all[4].expectation.score.Text(), "60");
  EXPECT_EQ(found.all[4].path, folder_.path() / "tests/submissions/task/failed/c.cu");
}

TEST_F(FindSpecimensTest, NamesWhatIsMissing) {
  EXPECT_THAT(Problems(),
              ElementsAre("error: there is no reference/task.cu\n  every assignment has one",
                          "error: there is no student_template/task.cu\n  every assignment has one",
                          "error: there are no test submissions in tests/submissions/task\n  "
                          "programs whose grade is known prove the checks: <verdict>/*.cu"));
}

TEST_F(FindSpecimensTest, NamesWhatIsInTheWrongPlace) {
  folder_.Write("reference/task.cu", "");
  folder_.Write("student_template/task.cu", "");
  folder_.Write("tests/submissions/task/good/a.cu", "");
  folder_.Write("tests/submissions/task/failed/notes.txt", "");
  folder_.Write("tests/submissions/task/failed/b.cu", "// score: many\n");
  EXPECT_THAT(Problems(),
              UnorderedElementsAre("error: tests/submissions/task/good is not the folder of a "
                                   "verdict\n  test submissions lie in passed/, failed/ and error/",
                                   "error: tests/submissions/task/failed/notes.txt is not a .cu "
                                   "file\n  a test submission is a single file",
                                   "tests/submissions/task/failed/b.cu:1: error: \"many\" is not a "
                                   "score\n  write // score: 60"));
  EXPECT_EQ(Find().all.size(), 2);
}

}  // namespace
}  // namespace warpcheck
