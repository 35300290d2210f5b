// Tests what a report says of a wrong element, with a checks program that answers as it is told.
#include "grading/reasoning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grading/answering_checks.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Answers every order with this reason.
AnsweringChecks AnswersWithReason(std::optional<CaseReason> reason) {
  ChecksReport report;
  report.reason = std::move(reason);
  return AnsweringChecks(std::move(report));
}

CaseResult WrongElements(const std::string& name) {
  return {.name = name,
          .verdict = Verdict::kFailed,
          .complaints = {
              {.message = "3 of 8 elements are wrong", .kind = ComplaintKind::kWrongElements}}};
}

CaseLaunch Costs(const std::string& name, std::uint64_t instructions) {
  CaseLaunch launch{.case_name = name, .record = {}};
  launch.record.counters.Set(Counter::kWarpInstructions, instructions);
  return launch;
}

CaseReason ReasonOf(const std::string& case_name) {
  return {.case_name = case_name,
          .reason = {.element = "c[5][7]",
                     .kernel = "product(float const*)",
                     .where = {.file = "x.cu", .line = 28},
                     .block = {0, 0, 0},
                     .thread = {7, 5, 0},
                     .made_of = "in[236]",
                     .expected = "in[222]"}};
}

ChecksReport ReportOfCases(std::vector<CaseResult> cases) {
  ChecksReport report;
  report.cases = std::move(cases);
  report.launches = {Costs("large", 9'000), Costs("small", 100)};
  return report;
}

TEST(Reasoning, AsksForTheCheapestCaseWithWrongElements) {
  AnsweringChecks checks = AnswersWithReason(ReasonOf("small"));
  ChecksReport report = ReportOfCases({WrongElements("large"), WrongElements("small")});
  AddReason({}, checks, report);
  ASSERT_EQ(checks.orders.size(), 1U);
  EXPECT_TRUE(checks.orders[0].reason);
  EXPECT_THAT(checks.orders[0].cases, ElementsAre("small", "large"));
  EXPECT_EQ(report.cases[0].complaints[0].message, "3 of 8 elements are wrong");
  EXPECT_EQ(report.cases[1].complaints[0].message,
            "3 of 8 elements are wrong\n"
            "c[5][7] was stored in line 28 by thread (7, 5, 0) of block (0, 0, 0); it is in[236]; "
            "the expected value is in[222]");
  EXPECT_EQ(report.cases[1].complaints[0].reason, ReasonOf("small").reason);
}

TEST(Reasoning, IsNotAskedForOtherFailures) {
  AnsweringChecks checks = AnswersWithReason(ReasonOf("small"));
  CaseResult crashed = WrongElements("small");
  crashed.complaints[0].kind = ComplaintKind::kCrashed;
  ChecksReport report = ReportOfCases({crashed, {.name = "large", .verdict = Verdict::kPassed}});
  AddReason({}, checks, report);
  EXPECT_THAT(checks.orders, IsEmpty());
}

TEST(Reasoning, LeavesTheReportAsItIsIfNothingIsFound) {
  const ChecksReport before = ReportOfCases({WrongElements("large"), WrongElements("small")});
  AnsweringChecks finds_nothing = AnswersWithReason(std::nullopt);
  ChecksReport report = before;
  AddReason({}, finds_nothing, report);
  EXPECT_EQ(report, before);
  AnsweringChecks crashes = AnswersWithReason(ReasonOf("small"));
  crashes.finishes = false;
  AddReason({}, crashes, report);
  EXPECT_EQ(report, before);
}

}  // namespace
}  // namespace warpcheck
