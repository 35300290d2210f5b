#include "proof/mutation/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "proof/mutation/grader.h"

namespace warpcheck::mutation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Outcome = Grading::Outcome;

constexpr char kText[] = "int x = 1;\n  int y = 2;\n";

Source ShortProgram() { return Source::Parse(kText, "f.cu").value(); }

// Returns the names of the changes, for example "2:11 2 to 1".
Trial TrialOf(const Source& source, std::string_view name, Outcome outcome, std::string detail) {
  for (Mutant& mutant : MutantsOf(source)) {
    if (mutant.Name() == name) return {std::move(mutant), {outcome, std::move(detail)}};
  }
  ADD_FAILURE() << "no mutant " << name;
  return {};
}

const std::vector<std::string> kNames = {"1:9 1 to 0", "1:9 1 to 2", "2:11 2 to 1", "2:11 2 to 3"};

TEST(Judge, IsContentWithTheDeadAndTheListed) {
  const Source source = ShortProgram();
  const Tally tally = Judge(source,
                            {TrialOf(source, kNames[0], Outcome::kKilled, "0 of 100 points"),
                             TrialOf(source, kNames[1], Outcome::kSurvived, "100 of 100 points"),
                             TrialOf(source, kNames[2], Outcome::kUncompiled, "")},
                            kNames, {{kNames[1], "nobody reads x", {}}});
  EXPECT_THAT(tally.complaints, IsEmpty());
  EXPECT_EQ(tally.killed, 1u);
  EXPECT_EQ(tally.equivalent, 1u);
  EXPECT_EQ(tally.uncompiled, 1u);
}

TEST(Judge, ShowsASurvivor) {
  const Source source = ShortProgram();
  const Tally tally = Judge(
      source, {TrialOf(source, kNames[2], Outcome::kSurvived, "100 of 100 points")}, kNames, {});
  EXPECT_THAT(tally.complaints,
              ElementsAre("2:11 2 to 1: keeps full marks and is not listed as equivalent\n"
                          "    - int y = 2;\n"
                          "    + int y = 1;"));
  EXPECT_EQ(tally.equivalent, 0u);
}

TEST(Judge, ShowsWhatIsListedAndNotSo) {
  const Source source = ShortProgram();
  const SourceLocation where{"l.toml", 3, 2};
  const Tally tally =
      Judge(source,
            {TrialOf(source, kNames[0], Outcome::kKilled, "0 of 100 points"),
             TrialOf(source, kNames[1], Outcome::kUncompiled, "")},
            kNames, {{kNames[0], "r", where}, {kNames[1], "r", where}, {"7:1 a to b", "r", where}});
  EXPECT_THAT(
      tally.complaints,
      ElementsAre("1:9 1 to 0: listed as equivalent (l.toml:3:2), but it gets 0 of 100 points",
                  "1:9 1 to 2: listed as equivalent (l.toml:3:2), but it does not compile",
                  "7:1 a to b: listed as equivalent (l.toml:3:2), but there is no such mutant"));
}

TEST(Judge, DoesNotAskOfWhatWasNotTried) {
  EXPECT_THAT(Judge(ShortProgram(), {}, kNames, {{kNames[1], "r", {}}}).complaints, IsEmpty());
}

TEST(Judge, ShowsGradingThatFailed) {
  const Source source = ShortProgram();
  const Tally tally =
      Judge(source, {TrialOf(source, kNames[0], Outcome::kFault, "no sandbox")}, kNames, {});
  EXPECT_THAT(tally.complaints, ElementsAre("1:9 1 to 0: grading failed: no sandbox"));
}

TEST(GradeMutants, GradesEachOnceInOrder) {
  const Source source = ShortProgram();
  std::atomic<int> calls = 0;
  std::set<std::string> done;
  const auto trials = GradeMutants(
      source, MutantsOf(source),
      [&](const std::string& program, std::size_t worker) {
        EXPECT_LT(worker, 3u);
        ++calls;
        return Grading{Outcome::kKilled, program};
      },
      3, [&](const Trial& trial) { done.insert(trial.mutant.Name()); });
  EXPECT_EQ(calls, 4);
  EXPECT_THAT(done, SizeIs(4));
  ASSERT_THAT(trials, SizeIs(4));
  for (std::size_t i = 0; i < trials.size(); ++i) {
    EXPECT_EQ(trials[i].mutant.Name(), kNames[i]);
    EXPECT_EQ(trials[i].grading.detail, trials[i].mutant.Apply(kText));
  }
}

TEST(Grading, ReadsReports) {
  const auto outcome = [](const char* report) { return GradingFrom(report).outcome; };
  EXPECT_EQ(outcome(R"({"compile_error": null, "score_is_final": true, "score": 99.5,
                        "max_score": 100, "verdict": "failed"})"),
            Outcome::kKilled);
  EXPECT_EQ(outcome(R"({"compile_error": null, "score_is_final": true, "score": 100,
                        "max_score": 100, "verdict": "passed"})"),
            Outcome::kSurvived);
  EXPECT_EQ(outcome(R"({"compile_error": {"message": "no"}, "score_is_final": true, "score": 0,
                        "max_score": 100, "verdict": "error"})"),
            Outcome::kUncompiled);
  EXPECT_EQ(outcome(R"({"compile_error": null, "score_is_final": false, "score": 100,
                        "max_score": 100, "verdict": "harness_fault"})"),
            Outcome::kFault);
  EXPECT_EQ(outcome("{}"), Outcome::kFault);
  EXPECT_EQ(outcome(""), Outcome::kFault);
}

TEST(Grading, SaysWhichCaseFailedToBeGraded) {
  const Grading grading = GradingFrom(
      R"({"compile_error": null, "score_is_final": false, "score": 0, "max_score": 100,
          "verdict": "harness_fault",
          "criteria": [
            {"cases": [{"name": "IsRight 1x1", "verdict": "passed", "message": ""}]},
            {"cases": [{"name": "IsRight 2x2", "verdict": "harness_fault",
                        "message": "the process of the checks ended"}]}]
         })");
  EXPECT_EQ(grading.outcome, Grading::Outcome::kFault);
  EXPECT_EQ(grading.detail,
            "the verdict is harness_fault: IsRight 2x2: the process of the checks ended");
}

TEST(Grading, TellsCriteriaOfLocalMemoryAndItsBytes) {
  const Grading grading = GradingFrom(
      R"({"compile_error": null, "score_is_final": true, "score": 90, "max_score": 100,
          "verdict": "failed",
          "criteria": [
            {"id": "right", "points": 90, "verdict": "passed", "cases": [{"line": 0}]},
            {"id": "local", "points": 0, "verdict": "failed",
             "cases": [{"line": 4, "measures": ["sectors of local memory"]}]},
            {"id": "all", "points": 0, "verdict": "failed",
             "cases": [{"line": 4, "measures": ["sectors of local memory", "global sectors"]}]}],
          "launches": [{}, {"resources": {"local_bytes": 64}}, {"resources": {"local_bytes": 8}}]
         })");
  EXPECT_THAT(grading.criteria, ElementsAre(CriterionPoints{"right", 90, false, true, false},
                                            CriterionPoints{"local", 0, true, true, true},
                                            CriterionPoints{"all", 0, true, true, false}));
  EXPECT_EQ(grading.local_bytes, 64u);
}

std::string ErrorOf(const std::string& text) {
  const auto parsed = ParseEquivalents(text, "l.toml");
  return parsed ? "" : parsed.error().Text();
}

TEST(Equivalents, AreRead) {
  const auto parsed = ParseEquivalents(
      "[[equivalent]]\nmutants = [\"1:2 a to b\",\n  \"3:4 c to d\"]\nreason = \"because\"\n",
      "l.toml");
  ASSERT_TRUE(parsed) << parsed.error().Text();
  ASSERT_THAT(*parsed, SizeIs(2));
  EXPECT_EQ((*parsed)[1].mutant, "3:4 c to d");
  EXPECT_EQ((*parsed)[1].reason, "because");
  EXPECT_EQ((*parsed)[1].where.Text(), "l.toml:3:3");
  EXPECT_THAT(ParseEquivalents("", "l.toml").value(), IsEmpty());
}

TEST(Equivalents, NeedAReason) {
  EXPECT_EQ(
      ErrorOf("[[equivalent]]\nmutants = [\"a\"]\n"),
      "l.toml:1:1: error: an entry has no reason\n  write reason = \"why no check can detect it\"");
  EXPECT_EQ(
      ErrorOf("[[equivalent]]\nmutants = [\"a\"]\nreason = \"\"\n"),
      "l.toml:1:1: error: an entry has no reason\n  write reason = \"why no check can detect it\"");
}

TEST(Equivalents, SayWhatIsWrong) {
  EXPECT_EQ(ErrorOf("[[equivalent]]\nreason = \"r\"\n"),
            "l.toml:1:1: error: an entry has no mutants\n  write mutants = [\"18:14 < to <=\"]");
  EXPECT_EQ(ErrorOf("[[equivalent]]\nmutants = [\"a\", \"a\"]\nreason = \"r\"\n"),
            "l.toml:2:17: error: \"a\" is listed twice");
  EXPECT_EQ(ErrorOf("[[equivalent]]\nwhy = 1\n"),
            "l.toml:2:7: error: unknown key \"why\"\n  an equivalent has mutants and a reason");
  EXPECT_EQ(ErrorOf("[[equal]]\n"),
            "l.toml:1:1: error: unknown key \"equal\"\n  the file holds [[equivalent]] entries");
  EXPECT_EQ(ErrorOf("equivalent = [1]\n"), "l.toml:1:15: error: an equivalent is a table");
  EXPECT_NE(ErrorOf("[[equivalent]\n"), "");
}

}  // namespace
}  // namespace warpcheck::mutation
