#include "checks/listener.h"

#include <algorithm>
#include <string_view>

namespace warpcheck {
namespace {

// GoogleTest's own test of the test program: names in the checks that fit nothing.
constexpr std::string_view kVerificationSuite = "GoogleTestVerification";

std::string CaseName(const testing::TestInfo& info) {
  return std::string(info.test_suite_name()) + "." + info.name();
}

Charge ChargeFor(const testing::TestPartResult& part, std::string_view case_name) {
  Charge charge{.verdict = Verdict::kFailed,
                .complaint = {.message = part.message(), .where = {}, .hint = {}}};
  const bool is_expectation = part.file_name() != nullptr && part.line_number() > 0;
  if (part.skipped()) {
    charge.verdict = Verdict::kSkipped;
  } else if (!is_expectation || case_name.starts_with(kVerificationSuite)) {
    charge.verdict = Verdict::kHarnessFault;
  }
  return charge;
}

}  // namespace

std::string RunningCase() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  return info == nullptr ? std::string() : CaseName(*info);
}

void CaseListener::OnTestStart(const testing::TestInfo& info) {
  docket_.Take();
  docket_.TakeYardsticks();
  result_ = {.name = CaseName(info), .verdict = Verdict::kPassed, .complaints = {}};
  results_.BeginCase(result_.name);
}

void CaseListener::OnTestPartResult(const testing::TestPartResult& part) {
  if (part.passed()) return;
  if (docket_.empty()) docket_.Add(ChargeFor(part, result_.name));
  for (Charge& charge : docket_.Take()) {
    result_.verdict = std::max(result_.verdict, charge.verdict);
    auto& complaints = result_.complaints;
    if (std::find(complaints.begin(), complaints.end(), charge.complaint) == complaints.end()) {
      complaints.push_back(std::move(charge.complaint));
    }
  }
}

void CaseListener::OnTestEnd(const testing::TestInfo& info) {
  result_.seconds = static_cast<double>(info.result()->elapsed_time()) / 1000;
  result_.yardsticks = docket_.TakeYardsticks();
  results_.EndCase(result_);
}

}  // namespace warpcheck
