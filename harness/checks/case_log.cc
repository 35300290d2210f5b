#include "checks/case_log.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "results/results.h"

namespace warpcheck {

Charge Charged(Verdict verdict, std::string message, std::string hint, SourceLocation where) {
  Charge charge;
  charge.verdict = verdict;
  charge.complaint.message = std::move(message);
  charge.complaint.where = std::move(where);
  charge.complaint.hint = std::move(hint);
  return charge;
}

CaseLog& CaseLog::Current() {
  static CaseLog case_log;
  return case_log;
}

void CaseLog::Add(Charge charge) {
  if (std::find(charges_.begin(), charges_.end(), charge) == charges_.end()) {
    charges_.push_back(std::move(charge));
  }
}

std::vector<Charge> CaseLog::Take() { return std::exchange(charges_, {}); }

void CaseLog::RestOn(Yardstick yardstick) {
  if (std::ranges::find(yardsticks_, yardstick) == yardsticks_.end()) {
    yardsticks_.push_back(std::move(yardstick));
  }
}

std::vector<Yardstick> CaseLog::TakeYardsticks() { return std::exchange(yardsticks_, {}); }

void StopCase(Charge charge) {
  const std::string message = charge.complaint.message;
  CaseLog::Current().Add(std::move(charge));
  throw CaseStopped(message);
}

std::string ExplanationOf(const std::vector<Charge>& charges) {
  std::string text;
  for (const auto& [verdict, complaint] : charges) {
    if (!text.empty()) text += '\n';
    if (complaint.where.known()) text += complaint.where.Text() + ": ";
    text += complaint.message;
    if (!complaint.hint.empty()) text += "\n  hint: " + complaint.hint;
  }
  return text;
}

// What it started ends with it: they hold the other ends of its sockets.
void EndNotGraded(const std::string& why) {
  std::fflush(nullptr);
  std::fprintf(stderr, "\n%s\n", why.c_str());
  std::_Exit(kNotGradedStatus);
}

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
  case_log_.Take();
  case_log_.TakeYardsticks();
  result_ = {.name = CaseName(info), .verdict = Verdict::kPassed, .complaints = {}};
  results_.BeginCase(result_.name);
}

void CaseListener::OnTestPartResult(const testing::TestPartResult& part) {
  if (part.passed()) return;
  if (case_log_.empty()) case_log_.Add(ChargeFor(part, result_.name));
  for (Charge& charge : case_log_.Take()) {
    result_.verdict = std::max(result_.verdict, charge.verdict);
    if (has_map_) charge.complaint.map.reset();
    has_map_ = has_map_ || charge.complaint.map;
    auto& complaints = result_.complaints;
    if (std::find(complaints.begin(), complaints.end(), charge.complaint) == complaints.end()) {
      complaints.push_back(std::move(charge.complaint));
    }
  }
}

void CaseListener::OnTestEnd(const testing::TestInfo& info) {
  result_.seconds = static_cast<double>(info.result()->elapsed_time()) / 1000;
  result_.yardsticks = case_log_.TakeYardsticks();
  results_.EndCase(result_);
}

}  // namespace warpcheck
