#include "grading/grader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// This checks program passes every case, and crashes in the cases that the test names.
class FakeChecks : public ChecksProgram {
 public:
  Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress& progress) override {
    commands.push_back(command);
    if (!cannot_start.empty()) return Fail(cannot_start);
    ChecksRun run;
    run.report.device = "emulator";
    run.report.seed = command.order.plan.seed;
    run.report.device_output = fmt::format("run {}\n", commands.size());
    run.finished = true;
    run.ending = "exited with status 0";
    for (const std::string& name : command.order.cases.empty() ? names : command.order.cases) {
      if (dies_before.contains(name)) return Dead(std::move(run));
      if (progress) progress(name, false);
      if (dies_in.contains(name)) {
        run.report.unfinished_case = name;
        return Dead(std::move(run));
      }
      CaseResult result;
      result.name = name;
      result.verdict = fails.contains(name) ? Verdict::kFailed : Verdict::kPassed;
      if (fails.contains(name)) result.complaints = {{.message = "wrong"}};
      run.report.cases.push_back(result);
      run.report.launches.push_back({.case_name = name, .record = {}});
      if (progress) progress(name, true);
    }
    return run;
  }

  Result<std::vector<std::string>> List(const std::filesystem::path&, std::uint64_t) override {
    return names;
  }

  std::vector<std::string> names = {"T.a", "T.b", "T.c", "T.d", "T.e", "T.f"};
  std::set<std::string> fails;
  std::set<std::string> dies_in;
  std::set<std::string> dies_before;
  ChecksRun::Blame blame = ChecksRun::Blame::kProgram;  // who is to blame for a death
  std::string cannot_start;
  std::vector<ChecksCommand> commands;

 private:
  ChecksRun Dead(ChecksRun run) const {
    run.finished = false;
    run.blame = blame;
    run.ending = "was killed by signal 11 (segmentation fault)";
    run.output = "last words";
    return run;
  }
};

class GraderTest : public testing::Test {
 protected:
  GraderTest() {
    SetRubric("[[criterion]]\nname = \"All\"\npoints = 10\ntests = \"T.*\"\n");
    request_.assignment.name = "task";
    request_.assignment.header = "task.h";
    request_.submission = folder_.Write("src/one/task.cu", "int x;\n").parent_path().parent_path();
    request_.plan.seed = 5;
    outcome_.artifact.emplace().shared_object = "task.so";
    tools_.checks = &checks_;
    tools_.build = [this](const compile::Request& asked) {
      EXPECT_EQ(asked.submission, request_.submission);
      EXPECT_THAT(asked.headers, ElementsAre("task.h"));
      return outcome_;
    };
  }
  void SetRubric(const std::string& criteria) {
    request_.assignment.rubric = folder_.Write("rubric.toml", "title = \"T\"\n" + criteria);
  }
  Grade Graded() {
    auto grade = GradeSubmission(request_, tools_);
    if (grade) return *std::move(grade);
    ADD_FAILURE() << grade.error().Text();
    return {};
  }
  static std::vector<std::string> Cases(const Grade& grade) {
    std::vector<std::string> all;
    for (const CaseResult& result : grade.attempt.report.cases) {
      std::string line = result.name + " " + std::string(Name(result.verdict));
      if (!result.complaints.empty()) line += ": " + result.complaints.front().message;
      all.push_back(line);
    }
    return all;
  }

  TemporaryFolder folder_;
  GradeRequest request_;
  compile::Outcome outcome_;
  FakeChecks checks_;
  GradingTools tools_;
};

class GraderWithAWitness : public GraderTest {
 protected:
  GraderWithAWitness() {
    request_.plan.witness = true;
    request_.gpu_host = "gpu_host";
    tools_.witness = {[this] { return target_; }, &gpu_,
                      [this]() -> Result<Descriptor> {
                        if (is_busy_) return Fail("other gradings are reading theirs");
                        return Descriptor();
                      }};
    tools_.build = [this](const compile::Request& asked) {
      targets_.push_back(asked.ptx_target);
      return outcome_;
    };
  }

  FakeChecks gpu_;
  Result<std::optional<int>> target_ = std::optional<int>(90);
  std::vector<int> targets_;
  bool is_busy_ = false;
};

TEST_F(GraderWithAWitness, LetsAGpuMakeTheSameCalls) {
  const Grade grade = Graded();
  EXPECT_EQ(grade.score.Text(), "10");
  EXPECT_TRUE(grade.score_is_final);
  ASSERT_TRUE(grade.attempt.witness.has_value());
  EXPECT_EQ(grade.attempt.witness->report.cases.size(), gpu_.names.size());
  ASSERT_EQ(gpu_.commands.size(), 1U);
  EXPECT_EQ(gpu_.commands[0].order.plan.device, "gpu");
  EXPECT_TRUE(gpu_.commands[0].order.as_witness);
  EXPECT_FALSE(gpu_.commands[0].order.without_counters);
  EXPECT_EQ(grade.attempt.witness->uncounted, "");
  EXPECT_FALSE(checks_.commands.at(0).order.as_witness);
  EXPECT_THAT(targets_, ElementsAre(90));
}

TEST_F(GraderWithAWitness, ComparesResultsWhereOthersReadTheCounters) {
  is_busy_ = true;
  gpu_.fails = {"T.c"};
  const Grade grade = Graded();
  ASSERT_EQ(gpu_.commands.size(), 1U);
  EXPECT_TRUE(gpu_.commands[0].order.without_counters);
  EXPECT_FALSE(checks_.commands.at(0).order.without_counters);
  EXPECT_EQ(grade.attempt.witness->missing, "");
  EXPECT_EQ(grade.attempt.witness->uncounted,
            "Its counters and times were not read: other gradings are reading theirs");
  EXPECT_FALSE(grade.score_is_final);
}

TEST_F(GraderWithAWitness, BuildsOnceMoreForAnOlderGpu) {
  target_ = std::optional<int>(75);
  EXPECT_TRUE(Graded().attempt.witness.has_value());
  EXPECT_THAT(targets_, ElementsAre(90, 75));
}

TEST_F(GraderWithAWitness, SaysNothingWhereThereIsNoGpu) {
  target_ = std::nullopt;
  const Grade grade = Graded();
  EXPECT_FALSE(grade.attempt.witness.has_value());
  EXPECT_TRUE(grade.score_is_final);
}

TEST_F(GraderWithAWitness, GradesTheSameWhereTheGpuIsLost) {
  gpu_.dies_in = {"T.b"};
  Grade grade = Graded();
  EXPECT_EQ(grade.score.Text(), "10");
  EXPECT_TRUE(grade.score_is_final);
  EXPECT_THAT(
      grade.attempt.witness->missing,
      "It did not make all calls: its program was killed by signal 11 (segmentation fault)");
  target_ = Fail("the driver is too old");
  grade = Graded();
  EXPECT_TRUE(grade.score_is_final);
  EXPECT_EQ(grade.attempt.witness->missing, "It was not used: the driver is too old");
}

TEST_F(GraderWithAWitness, IsNotFinalWhereTheGpuContradicts) {
  gpu_.fails = {"T.c"};  // the test in which its kernel ran to its end
  const Grade grade = Graded();
  EXPECT_EQ(grade.score.Text(), "10");
  EXPECT_FALSE(grade.score_is_final);
}

TEST_F(GraderTest, GradesInOneRunWhereNothingDies) {
  const Grade grade = Graded();
  EXPECT_EQ(grade.score.Text(), "10");
  EXPECT_TRUE(grade.score_is_final);
  ASSERT_EQ(checks_.commands.size(), 1U);
  EXPECT_THAT(checks_.commands[0].order.cases, IsEmpty());
  EXPECT_EQ(checks_.commands[0].order.shared_object, "task.so");
  EXPECT_EQ(checks_.commands[0].order.plan.seed, 5U);
  EXPECT_THAT(grade.attempt.sources, ElementsAre(std::pair("one/task.cu", "int x;\n")));
}

TEST_F(GraderTest, ADeathCostsOneCase) {
  checks_.dies_in = {"T.c"};
  const Grade grade = Graded();
  EXPECT_THAT(Cases(grade), ElementsAre("T.a passed", "T.b passed",
                                        "T.c harness_fault: the checks program was killed by "
                                        "signal 11 (segmentation fault)\nlast words",
                                        "T.d passed", "T.e passed", "T.f passed"));
  EXPECT_EQ(grade.attempt.report.launches.size(), 5U);
  EXPECT_EQ(grade.attempt.report.device_output, "run 1\nrun 2\n");
  EXPECT_EQ(grade.verdict, Verdict::kHarnessFault);
  EXPECT_FALSE(grade.score_is_final);
  ASSERT_EQ(checks_.commands.size(), 2U);
  EXPECT_THAT(checks_.commands[1].order.cases, ElementsAre("T.d", "T.e", "T.f"));
}

TEST_F(GraderTest, RunsAFewTimesAndLosesNoCase) {
  checks_.dies_in = {"T.a", "T.b", "T.c", "T.d"};
  const Grade grade = Graded();
  EXPECT_EQ(checks_.commands.size(), 2U);
  const std::string death =
      "the checks program was killed by signal 11 (segmentation fault)\nlast words";
  EXPECT_THAT(
      Cases(grade),
      ElementsAre("T.a harness_fault: " + death, "T.b harness_fault: " + death,
                  "T.c harness_fault: not run: " + death, "T.d harness_fault: not run: " + death,
                  "T.e harness_fault: not run: " + death, "T.f harness_fault: not run: " + death));
}

TEST_F(GraderTest, ADeathBetweenCasesDoesNotRepeat) {
  checks_.dies_before = {"T.c"};
  const Grade grade = Graded();
  EXPECT_EQ(checks_.commands.size(), 2U);
  EXPECT_EQ(Cases(grade).size(), 6U);
  EXPECT_EQ(Cases(grade)[2],
            "T.c harness_fault: not run: the checks program was killed by signal 11 (segmentation "
            "fault)\nlast words");
}

TEST_F(GraderTest, ADeathInTheLastCaseNeedsNoOtherRun) {
  checks_.dies_in = {"T.f"};
  EXPECT_EQ(Cases(Graded()).size(), 6U);
  EXPECT_EQ(checks_.commands.size(), 1U);
}

TEST_F(GraderTest, ADeathBeforeAnythingIsAFaultOfTheMachine) {
  checks_.dies_before = {"T.a"};
  const auto grade = GradeSubmission(request_, tools_);
  ASSERT_FALSE(grade);
  EXPECT_EQ(grade.error().blame, compile::Failure::Blame::kMachine);
  EXPECT_EQ(grade.error().Text(),
            "error: the checks program was killed by signal 11 (segmentation fault)\nlast words");
  checks_.cannot_start = "cannot run task_checks";
  EXPECT_EQ(GradeSubmission(request_, tools_).error().Text(), "error: cannot run task_checks");
}

// There is a score. The remaining cases are lost too.
TEST_F(GraderTest, WhatTheSubmissionMadeTooLargeIsItsFailure) {
  checks_.dies_in = {"T.c"};
  checks_.blame = ChecksRun::Blame::kSubmission;
  const Grade grade = Graded();
  EXPECT_EQ(checks_.commands.size(), 1U);
  const std::string spent =
      "judging this program took too much memory or time: the judge was killed by signal 11 "
      "(segmentation fault)";
  EXPECT_THAT(Cases(grade),
              ElementsAre("T.a passed", "T.b passed", "T.c error: " + spent, "T.d error: " + spent,
                          "T.e error: " + spent, "T.f error: " + spent));
  EXPECT_TRUE(grade.score_is_final);
  EXPECT_EQ(grade.score.Text(), "0");
}

TEST_F(GraderTest, WhatSomebodyElseEndedIsNoGrade) {
  checks_.dies_in = {"T.c"};
  checks_.blame = ChecksRun::Blame::kMachine;
  const auto grade = GradeSubmission(request_, tools_);
  ASSERT_FALSE(grade);
  EXPECT_EQ(checks_.commands.size(), 1U);
  EXPECT_EQ(grade.error().blame, compile::Failure::Blame::kMoment);
  EXPECT_EQ(grade.error().Text(),
            "error: the checks program was killed by signal 11 (segmentation fault)");
}

TEST_F(GraderTest, ACompileErrorIsAGrade) {
  outcome_.artifact.reset();
  outcome_.error.emplace().message = "no";
  const Grade grade = Graded();
  EXPECT_EQ(grade.verdict, Verdict::kError);
  EXPECT_EQ(grade.score.Text(), "0");
  EXPECT_TRUE(grade.score_is_final);
  EXPECT_THAT(checks_.commands, IsEmpty());
}

TEST_F(GraderTest, PassesOnWhoseFaultItIsThatNothingWasBuilt) {
  tools_.build = [](const compile::Request&) {
    return tl::unexpected(compile::Failure{Fail("there is no file x.cu").value(),
                                           compile::Failure::Blame::kSubmission});
  };
  const auto grade = GradeSubmission(request_, tools_);
  ASSERT_FALSE(grade);
  EXPECT_EQ(grade.error().blame, compile::Failure::Blame::kSubmission);
  EXPECT_EQ(grade.error().Text(), "error: there is no file x.cu");
}

TEST_F(GraderTest, ABadRubricIsNotTheStudentsFault) {
  SetRubric("");
  const auto grade = GradeSubmission(request_, tools_);
  ASSERT_FALSE(grade);
  EXPECT_EQ(grade.error().blame, compile::Failure::Blame::kMachine);
  request_.assignment.rubric = "/none.toml";
  EXPECT_EQ(GradeSubmission(request_, tools_).error().Text(),
            "error: cannot open /none.toml: No such file or directory");
}

TEST_F(GraderTest, TellsHowFarItIs) {
  std::vector<std::string> steps;
  tools_.progress = [&](const Progress& progress) {
    steps.push_back(progress.step == Progress::Step::kBuilding
                        ? "building"
                        : fmt::format("{} {}", progress.cases_done, progress.case_name));
  };
  checks_.names = {"T.a", "T.b"};
  Graded();
  EXPECT_THAT(steps, ElementsAre("building", "0 T.a", "1 T.a", "1 T.b", "2 T.b"));
}

}  // namespace
}  // namespace warpcheck
