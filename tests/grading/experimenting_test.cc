// Tests what a report says after experiments, with a checks program that answers as it is told.
#include "grading/experimenting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grading/answering_checks.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Answers every order with these cures.
AnsweringChecks AnswersWith(std::vector<Experiment> cures) {
  ChecksReport report;
  report.experiments.emplace().cures = std::move(cures);
  return AnsweringChecks(std::move(report));
}

Result<compile::Artifact> PlainBuild(bool only_kernels) {
  compile::Artifact artifact;
  artifact.shared_object = only_kernels ? "/plain.ptx" : "/plain.so";
  return artifact;
}

CaseResult Failed(const std::string& name) {
  return {.name = name, .verdict = Verdict::kFailed, .complaints = {{.message = "1 is wrong"}}};
}

CaseLaunch LaunchOf(const std::string& name, std::uint64_t instructions) {
  CaseLaunch launch{.case_name = name, .record = {}};
  launch.record.counters.Set(Counter::kWarpInstructions, instructions);
  return launch;
}

Experiment CureIn(int line) {
  return {.kind = "comparison",
          .phrase = "another comparison in",
          .where = {.file = "x.cu", .line = line},
          .change = "`<=` in place of `<`",
          .cured = 2};
}

class Experimenting : public testing::Test {
 protected:
  // Adds what experiments find to a report with two failed cases, and returns the first complaint.
  Complaint FirstComplaint(AnsweringChecks& checks, Given given = Given::kKind) {
    AddExperiments({}, checks, &PlainBuild, sources_, given, report_);
    return report_.cases.front().complaints.front();
  }

  ChecksReport report_ = [] {
    ChecksReport report;
    report.cases = {
        Failed("large"), Failed("small"), {.name = "right", .verdict = Verdict::kPassed}};
    report.launches = {LaunchOf("large", 9'000), LaunchOf("small", 100)};
    return report;
  }();
  std::map<std::string, std::string> sources_ = {
      {"x.cu",
       "void f() {\n  int grid = 1;\n  tile<float><<<grid, 32>>>(1);  // tile<<<2, 2>>>\n}\n"}};
};

TEST_F(Experimenting, BeginsWithTheCheapestCaseOfThePlainProgram) {
  AnsweringChecks checks = AnswersWith({CureIn(31)});
  const Complaint complaint = FirstComplaint(checks);
  ASSERT_EQ(checks.orders.size(), 1U);
  EXPECT_THAT(checks.orders[0].cases, ElementsAre("small", "large"));
  EXPECT_THAT(checks.orders[0].passed, ElementsAre("right"));
  EXPECT_EQ(checks.orders[0].shared_object, "/plain.so");
  EXPECT_EQ(checks.orders[0].plain_ptx, "");
  EXPECT_EQ(complaint.where.line, 31);
  EXPECT_EQ(complaint.hint, "tried: with another comparison in line 31 all failed tests pass");
}

TEST_F(Experimenting, CompilesTheKernelsOfOneFileAlone) {
  AnsweringChecks checks = AnswersWith({CureIn(31)});
  ChecksCommand command;
  command.order.shared_object = "/fast.so";
  command.order.sources = {"/in/x.cu"};
  AddExperiments(command, checks, &PlainBuild, sources_, Given::kKind, report_);
  EXPECT_EQ(checks.orders[0].shared_object, "/fast.so");
  EXPECT_EQ(checks.orders[0].plain_ptx, "/plain.ptx");
}

TEST_F(Experimenting, TellsAsMuchAsTheRubricGives) {
  AnsweringChecks checks = AnswersWith({CureIn(31)});
  EXPECT_EQ(FirstComplaint(checks, Given::kLine).hint,
            "tried: with one small change in line 31 all failed tests pass");
  EXPECT_EQ(FirstComplaint(checks, Given::kChange).hint,
            "tried: with `<=` in place of `<` in line 31 all failed tests pass");
}

// Cases that cost too much are not tried, and the hint says so.
TEST_F(Experimenting, LeavesOutExpensiveCases) {
  for (const char* const name : {"a", "b"}) report_.cases.push_back(Failed(name));
  report_.cases.push_back(Failed("of_another/large"));
  report_.cases.push_back({.name = "judged/large", .verdict = Verdict::kPassed});
  report_.launches.push_back(LaunchOf("shapes/large", 9'000'000));
  AnsweringChecks checks = AnswersWith({CureIn(31)});
  EXPECT_EQ(FirstComplaint(checks).hint,
            "tried: with another comparison in line 31, 2 of 5 failed tests pass; the larger "
            "ones were not tried");
  EXPECT_THAT(checks.orders[0].cases, ElementsAre("small", "large", "a", "b"));
  EXPECT_THAT(checks.orders[0].passed, ElementsAre("right"));
}

TEST_F(Experimenting, NamesTheLineOfALaunch) {
  Experiment launch = CureIn(0);
  launch.where = {};
  launch.kernel = "void tile<float>(int)";
  launch.phrase = "another grid or block in";
  AnsweringChecks checks = AnswersWith({launch});
  const Complaint complaint = FirstComplaint(checks);
  EXPECT_EQ(complaint.where.line, 3);
  EXPECT_EQ(complaint.hint,
            "tried: with another grid or block in the launch of tile in line 3 all failed tests "
            "pass");
}

// Where many places help, none of them is known to be the mistake.
TEST_F(Experimenting, SaysNothingAboutManyPlaces) {
  AnsweringChecks checks = AnswersWith({CureIn(1), CureIn(2), CureIn(3), CureIn(4)});
  EXPECT_EQ(FirstComplaint(checks).hint, "");
  EXPECT_EQ(report_.experiments->cures.size(), 4U);
}

TEST_F(Experimenting, LeavesTheReportAloneIfItsProgramEnds) {
  AnsweringChecks checks = AnswersWith({CureIn(31)});
  checks.finishes = false;
  const ChecksReport before = report_;
  FirstComplaint(checks);
  EXPECT_EQ(report_, before);
}

// A case with a target may fail for its cost, and a right result needs no experiment.
TEST_F(Experimenting, MakesNoneForMissedTargets) {
  for (CaseResult& result : report_.cases) result.targets = {{.measure = "global memory"}};
  AnsweringChecks checks = AnswersWith({CureIn(31)});
  FirstComplaint(checks);
  EXPECT_THAT(checks.orders, IsEmpty());
}

}  // namespace
}  // namespace warpcheck
