#include "grading/witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

CaseResult Passed(const std::string& name) { return {.name = name, .verdict = Verdict::kPassed}; }

CaseResult Failed(const std::string& name, const std::string& message) {
  return {.name = name, .verdict = Verdict::kFailed, .complaints = {{.message = message}}};
}

CaseResult Counted(const std::string& name, const std::string& measure, std::optional<double> value,
                   double most) {
  CaseResult result = Passed(name);
  const bool met = value && *value <= most;
  result.targets = {
      {.measure = measure, .is_work = true, .value = value, .most = most, .met = met}};
  if (!met) result.verdict = value ? Verdict::kFailed : Verdict::kNotMeasured;
  return result;
}

ChecksReport ReportOf(std::vector<CaseResult> cases) {
  ChecksReport report;
  report.cases = std::move(cases);
  return report;
}

TEST(Witness, AgreesWhereBothSayTheSame) {
  const std::vector<CaseResult> cases = {Passed("T.a"), Failed("T.b", "expected 1, got 2"),
                                         Counted("T.c", "global memory", 100, 110)};
  std::vector<CaseResult> seen = cases;
  seen[2].targets[0].value = 104;  // another value with the same verdict
  const Witness witness = WitnessOf(ReportOf(cases), ReportOf(seen), "");
  EXPECT_THAT(witness.disagreements, IsEmpty());
  EXPECT_FALSE(witness.contradicts());
}

// Returns a report of the GPU in which this test launched a kernel that ended in this way.
ChecksReport Seen(const CaseResult& result, DeviceError error = DeviceError::kSuccess) {
  ChecksReport report = ReportOf({result});
  CaseLaunch& launch = report.launches.emplace_back();
  launch.case_name = result.name;
  launch.record.error = error;
  return report;
}

TEST(Witness, ContradictsAResultThatIsWrongOnTheGpuAlone) {
  const Witness witness =
      WitnessOf(ReportOf({Passed("T.a")}), Seen(Failed("T.a", "expected 1, got 2\n  more")), "");
  EXPECT_THAT(witness.disagreements,
              ElementsAre(Disagreement{"T.a", "passed", "expected 1, got 2", ""}));
  EXPECT_TRUE(witness.contradicts());
}

TEST(Witness, DoesNotContradictByAKernelThatDidNotEnd) {
  for (const DeviceError error : {DeviceError::kLaunchTimeout, DeviceError::kLaunchFailure}) {
    const Witness witness =
        WitnessOf(ReportOf({Passed("T.a")}), Seen(Failed("T.a", "did not end"), error), "");
    ASSERT_THAT(witness.disagreements, SizeIs(1));
    EXPECT_FALSE(witness.contradicts());
  }
  const Witness nothing =
      WitnessOf(ReportOf({Passed("T.a")}), ReportOf({Failed("T.a", "never launched")}), "");
  EXPECT_FALSE(nothing.contradicts());
}

// A call that was repeated has its launches in the record of another test.
TEST(Witness, DoesNotContradictByACallThatTheGpuEnded) {
  CaseResult slow = Failed("T.a", "the kernel did not end within 5 s");
  slow.verdict = Verdict::kError;
  const Witness witness = WitnessOf(ReportOf({Passed("T.a")}), Seen(slow), "");
  ASSERT_THAT(witness.disagreements, SizeIs(1));
  EXPECT_FALSE(witness.contradicts());
}

TEST(Witness, DoesNotContradictWhereTheEmulatorAsksForMore) {
  const Witness witness =
      WitnessOf(ReportOf({Failed("T.a", "the host computed the result")}), Seen(Passed("T.a")), "");
  ASSERT_THAT(witness.disagreements, SizeIs(1));
  EXPECT_FALSE(witness.contradicts());
}

TEST(Witness, ContradictsAResultThatIsWrongOnTheEmulatorAlone) {
  CaseResult wrong = Failed("T.a", "1 of 8 elements is wrong");
  wrong.complaints[0].wrong_result = true;
  ChecksReport judged = ReportOf({wrong});
  const ChecksReport seen = ReportOf({Passed("T.a")});
  EXPECT_THAT(WitnessOf(judged, seen, "").disagreements,
              ElementsAre(Disagreement{"T.a", "1 of 8 elements is wrong", "passed", ""}));
  EXPECT_TRUE(WitnessOf(judged, seen, "").contradicts());
  // What costs nothing, and changes no result, does not explain it.
  judged.findings.push_back({"T.a", {.kind = FindingKind::kLeak, .message = "a leak"}});
  EXPECT_TRUE(WitnessOf(judged, seen, "").contradicts());
  judged.findings.push_back({"T.a", {.kind = FindingKind::kVolatileRace, .message = "a race"}});
  EXPECT_FALSE(WitnessOf(judged, seen, "").contradicts());
}

TEST(Witness, KnowsThatALoopOfAtomicsRunsByChance) {
  ChecksReport judged = ReportOf({Counted("T.a", "global memory", 100, 110)});
  CaseLaunch& launch = judged.launches.emplace_back();
  launch.case_name = "T.b";  // the test that made the same call first
  const ChecksReport seen = ReportOf({Counted("T.a", "global memory", 300, 110)});
  EXPECT_TRUE(WitnessOf(judged, seen, "").contradicts());
  launch.record.counters.Set(Counter::kGlobalAtomicRequests, 5);
  EXPECT_FALSE(WitnessOf(judged, seen, "").contradicts());
}

TEST(Witness, KnowsWhyAResultDiffersWhereTheEmulatorFoundAMistake) {
  ChecksReport judged = ReportOf({Failed("T.a", "a race"), Passed("T.b")});
  CaseLaunch& launch = judged.launches.emplace_back();
  launch.record.findings.push_back(
      {.kind = FindingKind::kSharedRace, .where = {"k.cu", 7, 0}, .message = "a race"});
  const Witness witness =
      WitnessOf(judged, ReportOf({Passed("T.a"), Failed("T.b", "expected 1, got 2")}), "");
  ASSERT_THAT(witness.disagreements, SizeIs(2));
  EXPECT_THAT(witness.disagreements[0].why, HasSubstr("found a mistake at k.cu:7 (shared_race)"));
  EXPECT_FALSE(witness.contradicts());
}

TEST(Witness, ContradictsATargetThatOnlyOneOfThemMeets) {
  for (const bool gpu_meets : {false, true}) {
    const CaseResult met = Counted("T.a", "global memory", 100, 110);
    const CaseResult missed = Counted("T.a", "global memory", 120, 110);
    const Witness witness =
        WitnessOf(ReportOf({gpu_meets ? missed : met}), ReportOf({gpu_meets ? met : missed}), "");
    ASSERT_THAT(witness.disagreements, SizeIs(1));
    EXPECT_TRUE(witness.contradicts());
    EXPECT_EQ(gpu_meets ? witness.disagreements[0].on_gpu : witness.disagreements[0].on_emulator,
              "global memory: 100, the target is met");
  }
}

// The emulator's limit may be wider than the one of a GPU, which does not count what is needed.
TEST(Witness, AcceptsWhatIsWithinTheLimitThatJudged) {
  const CaseResult met = Counted("T.a", "shared memory", 180, 225);
  for (const auto& [value, agrees] : {std::pair{180, true}, {225, true}, {226, false}}) {
    const CaseResult missed = Counted("T.a", "shared memory", value, 110);
    EXPECT_EQ(WitnessOf(ReportOf({met}), ReportOf({missed}), "").disagreements.empty(), agrees)
        << value;
  }
}

TEST(Witness, KnowsThatAGpuJoinsLoadsOfSharedMemory) {
  const Witness witness = WitnessOf(ReportOf({Counted("T.a", "shared memory", 120, 110)}),
                                    ReportOf({Counted("T.a", "shared memory", 60, 110)}), "");
  ASSERT_THAT(witness.disagreements, SizeIs(1));
  EXPECT_THAT(witness.disagreements[0].why, HasSubstr("joined loads of neighbouring words"));
  EXPECT_FALSE(witness.contradicts());
}

TEST(Witness, ComparesOnlyWhatBothDecided) {
  CaseResult skipped = Passed("T.a");
  skipped.verdict = Verdict::kSkipped;
  CaseResult fault = Passed("T.b");
  fault.verdict = Verdict::kHarnessFault;
  const Witness witness = WitnessOf(
      ReportOf({skipped, Passed("T.b"), Passed("T.c"), Counted("T.d", "global memory", 100, 110)}),
      ReportOf({Failed("T.a", "wrong"), fault, Counted("T.d", "global memory", std::nullopt, 110)}),
      "It did not make all calls.");
  EXPECT_THAT(witness.disagreements, IsEmpty());
  EXPECT_EQ(witness.missing, "It did not make all calls.");
}

TEST(Witness, TakesFromTheEmulatorWhatALaunchNeedsAtLeast) {
  CaseLaunch launch;
  launch.case_name = "T.a";
  launch.record.kernel = "k";
  ChecksReport judged = ReportOf({});
  judged.launches = {launch};
  judged.launches[0].record.counters.Set(Counter::kGlobalSectorsIdeal, 64);
  ChecksReport seen = ReportOf({});
  launch.record.timing.emplace().median_us = 2;
  seen.launches = {launch};
  const Witness witness = WitnessOf(judged, seen, "");
  EXPECT_EQ(witness.report.launches.at(0).record.counters[Counter::kGlobalSectorsIdeal], 64U);
}

}  // namespace
}  // namespace warpcheck
