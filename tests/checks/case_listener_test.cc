#include "checks/failures/case_listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::TestPartResult;

Complaint ComplaintOf(std::string message, std::string hint = {}) {
  return MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, std::move(message), std::move(hint))
      .complaint;
}

// Returns the complaint of an expectation that has no kind of its own.
Complaint OfTheChecks(const std::string& place, std::string message) {
  return MakeFailure({ComplaintKind::kCheck, place}, Verdict::kFailed, std::move(message))
      .complaint;
}

struct FakeWriter : ResultsWriter {
  void Begin(std::string_view, std::string_view, std::uint64_t) override {}
  void BeginCase(std::string_view name) override { begun.emplace_back(name); }
  void EndCase(const CaseResult& result) override { ended.push_back(result); }
  void Launch(const CaseLaunch&) override {}
  void Counted(std::size_t, const LaunchRecord&) override {}
  void Finding(const CaseFinding&) override {}
  void Approximation(const CaseApproximation&) override {}
  void Timeline(const CaseTimeline&) override {}
  void Promise(const PromiseResult&) override {}
  void DeviceOutput(std::string_view) override {}
  void HostOutput(std::string_view) override {}

  std::vector<std::string> begun;
  std::vector<CaseResult> ended;
};

class Listener : public testing::Test {
 protected:
  // Returns the result of a case with these parts. `failures` are added to the log before each
  // part, whose text explains them.
  CaseResult ResultOf(const std::vector<TestPartResult>& parts,
                      const std::vector<CaseFailure>& failures) {
    const testing::TestInfo& info = *testing::UnitTest::GetInstance()->current_test_info();
    listener_.OnTestStart(info);
    for (const TestPartResult& part : parts) {
      for (const CaseFailure& failure : failures) case_log_.Add(failure);
      const std::string text = part.message() + ExplanationOf(failures);
      listener_.OnTestPartResult(
          TestPartResult(part.type(), part.file_name(), part.line_number(), text.c_str()));
    }
    listener_.OnTestEnd(info);
    return writer_.ended.back();
  }

  FakeWriter writer_;
  CaseLog case_log_;
  CaseListener listener_{writer_, case_log_};
};

const TestPartResult kFailure(TestPartResult::kNonFatalFailure, "checks.cpp", 12, "Expected: 1");

TEST_F(Listener, KeepsTheFirstMapOfARun) {
  CaseFailure plain = MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "no map");
  CaseFailure first = MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "first");
  first.complaint.map = MapOf(std::vector<std::size_t>{4});
  CaseFailure second = first;
  second.complaint.message = "second";
  const CaseResult result = ResultOf({kFailure}, {plain, first, second});
  ASSERT_EQ(result.complaints.size(), 3U);
  EXPECT_FALSE(result.complaints[0].map);
  EXPECT_TRUE(result.complaints[1].map);
  EXPECT_FALSE(result.complaints[2].map);
  EXPECT_FALSE(ResultOf({kFailure}, {first}).complaints[0].map);
}

TEST_F(Listener, WritesAPassedCase) {
  const CaseResult result = ResultOf({}, {});
  EXPECT_THAT(writer_.begun, ElementsAre("Listener.WritesAPassedCase"));
  EXPECT_EQ(result.name, "Listener.WritesAPassedCase");
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  EXPECT_THAT(result.complaints, IsEmpty());
}

TEST_F(Listener, PrefersFailuresToGoogleTestsText) {
  const CaseResult result =
      ResultOf({kFailure, kFailure},
               {MakeFailure(ComplaintKind::kCheck, Verdict::kError, "crashed", "do not")});
  EXPECT_EQ(result.verdict, Verdict::kError);
  EXPECT_THAT(result.complaints, ElementsAre(ComplaintOf("crashed", "do not")));
}

// Returns the part that EXPECT_THAT(value, matcher) << text would report.
TestPartResult PartWith(const std::string& text) {
  return {TestPartResult::kNonFatalFailure, "/course/checks.cpp", 12, text.c_str()};
}

TEST(ReportedIn, KeepsTheTextOfTheChecks) {
  const CaseFailure lines[] = {
      MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "slow", "be fast", {"a.cu", 3, 0}),
      MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "slower", "be faster")};
  const std::string explanation = "Expected: fast\n" + ExplanationOf({lines[0], lines[1]});
  std::vector<CaseFailure> expected = {lines[0], lines[1]};
  EXPECT_EQ(ReportedIn(PartWith(explanation), expected, Verdict::kFailed), expected);
  expected[0].complaint.message = "slow\n  the handout says how";
  EXPECT_EQ(ReportedIn(PartWith(explanation + "\nthe handout says how"), {lines[0], lines[1]},
                       Verdict::kFailed),
            expected);
}

// AnyOf() explains its failed branches to itself, and then matches.
TEST(ReportedIn, LeavesOutWhatWasMetInAnotherWay) {
  const std::vector<CaseFailure> left = {
      MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "a failed branch")};
  EXPECT_THAT(ReportedIn(PartWith("Expected equality"), left, Verdict::kFailed),
              ElementsAre(MakeFailure({ComplaintKind::kCheck, "checks.cpp:12"}, Verdict::kFailed,
                                      "Expected equality")));
}

TEST(ReportedIn, NamesTheLineOfTheChecksForTheirOwnFaults) {
  const std::vector<CaseFailure> fault = {
      MakeFailure(ComplaintKind::kCheck, Verdict::kHarnessFault, "no such array")};
  EXPECT_THAT(ReportedIn(PartWith("Actual: no such array"), fault, Verdict::kFailed),
              ElementsAre(MakeFailure(ComplaintKind::kCheck, Verdict::kHarnessFault,
                                      "checks.cpp:12: no such array")));
}

TEST(ReportedIn, ShowsNoTypesOfTheHarness) {
  const std::string text = "Actual: a trial of f() (of type warpcheck::Trial), is wrong";
  EXPECT_THAT(ReportedIn(PartWith(text), {}, Verdict::kFailed),
              ElementsAre(MakeFailure({ComplaintKind::kCheck, "checks.cpp:12"}, Verdict::kFailed,
                                      "Actual: a trial of f(), is wrong")));
}

TEST_F(Listener, TakesTheWorstVerdict) {
  EXPECT_EQ(ResultOf({kFailure}, {MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "a"),
                                  MakeFailure(ComplaintKind::kCheck, Verdict::kHarnessFault, "b"),
                                  MakeFailure(ComplaintKind::kCheck, Verdict::kNotMeasured, "c")})
                .verdict,
            Verdict::kHarnessFault);
  EXPECT_EQ(ResultOf({kFailure}, {MakeFailure(ComplaintKind::kCheck, Verdict::kNotMeasured, "c")})
                .verdict,
            Verdict::kNotMeasured);
}

TEST_F(Listener, FallsBackToTheTextOfAnExpectation) {
  const CaseResult result = ResultOf({kFailure}, {});
  EXPECT_EQ(result.verdict, Verdict::kFailed);
  EXPECT_THAT(result.complaints, ElementsAre(OfTheChecks("checks.cpp:12", "Expected: 1")));
}

TEST_F(Listener, TakesAnExceptionForAFaultOfTheHarness) {
  const TestPartResult thrown(TestPartResult::kFatalFailure, nullptr, -1, "C++ exception");
  EXPECT_EQ(ResultOf({thrown}, {}).verdict, Verdict::kHarnessFault);
}

TEST_F(Listener, ShowsASkippedCase) {
  const TestPartResult skipped(TestPartResult::kSkip, "checks.cpp", 3, "needs more memory");
  const CaseResult result = ResultOf({skipped}, {});
  EXPECT_EQ(result.verdict, Verdict::kSkipped);
  EXPECT_THAT(result.complaints, ElementsAre(OfTheChecks("checks.cpp:3", "needs more memory")));
}

TEST_F(Listener, ForgetsFailuresOfEarlierCases) {
  case_log_.Add(MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "left over"));
  EXPECT_EQ(ResultOf({}, {}).verdict, Verdict::kPassed);
  EXPECT_TRUE(case_log_.empty());
}

TEST(CaseLog, KeepsEachTargetOnce) {
  CaseLog case_log;
  case_log.AddTarget({"global memory", true});
  case_log.AddTarget({"coalescing", false});
  case_log.AddTarget({"global memory", true});
  EXPECT_THAT(case_log.TakeTargets(), ElementsAre(CaseResult::Target{"global memory", true},
                                                  CaseResult::Target{"coalescing", false}));
  EXPECT_THAT(case_log.TakeTargets(), testing::IsEmpty());
}

TEST(CaseLog, CountsTheSameFailureOnce) {
  CaseLog case_log;
  case_log.Add(MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "a"));
  case_log.Add(MakeFailure(ComplaintKind::kCheck, Verdict::kFailed, "a"));
  EXPECT_THAT(case_log.Take(), testing::SizeIs(1));
}

TEST(CaseLog, StopsACaseWithAFailure) {
  EXPECT_THROW(StopCase(MakeFailure(ComplaintKind::kCheck, Verdict::kHarnessFault, "no sandbox")),
               CaseStopped);
  EXPECT_THAT(
      CaseLog::Current().Take(),
      ElementsAre(MakeFailure(ComplaintKind::kCheck, Verdict::kHarnessFault, "no sandbox")));
}

}  // namespace
}  // namespace warpcheck
