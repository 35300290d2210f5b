#include "checks/case_log.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string_view>
#include <utility>

#include "results/results.h"

namespace warpcheck {
namespace {

// GoogleTest's own test of the test program: names in the checks that fit nothing.
constexpr std::string_view kVerificationSuite = "GoogleTestVerification";

std::string CaseName(const testing::TestInfo& info) {
  return std::string(info.test_suite_name()) + "." + info.name();
}

Verdict VerdictOf(const testing::TestPartResult& part, std::string_view case_name) {
  if (part.skipped()) return Verdict::kSkipped;
  const bool is_expectation = part.file_name() != nullptr && part.line_number() > 0;
  const bool is_students = is_expectation && !case_name.starts_with(kVerificationSuite);
  return is_students ? Verdict::kFailed : Verdict::kHarnessFault;
}

template <class T>
void AddOnce(std::vector<T>& all, T one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(std::move(one));
}

}  // namespace

Charge Charged(Verdict verdict, std::string message, std::string hint, SourceLocation where) {
  return {.verdict = verdict,
          .complaint = {
              .message = std::move(message), .where = std::move(where), .hint = std::move(hint)}};
}

CaseLog& CaseLog::Current() {
  static CaseLog case_log;
  return case_log;
}

void CaseLog::Add(Charge charge) { AddOnce(charges_, std::move(charge)); }

std::vector<Charge> CaseLog::Take() { return std::exchange(charges_, {}); }

void CaseLog::AddTarget(CaseResult::Target target) { AddOnce(targets_, std::move(target)); }

std::vector<CaseResult::Target> CaseLog::TakeTargets() { return std::exchange(targets_, {}); }

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

bool Explain(std::vector<Charge> charges, testing::MatchResultListener* listener) {
  if (charges.empty()) return true;
  if (!listener->IsInterested()) return false;
  *listener << ExplanationOf(charges);
  for (Charge& charge : charges) CaseLog::Current().Add(std::move(charge));
  return false;
}

// What it started ends with it: they hold the other ends of its sockets.
void EndNotGraded(const std::string& why) {
  std::fflush(nullptr);
  std::fprintf(stderr, "\n%s\n", why.c_str());
  std::_Exit(kNotGradedStatus);
}

std::string RunningCase() {
  const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
  return info == nullptr ? std::string() : CaseName(*info);
}

namespace {

bool g_no_memory = false;  // operator new has failed within the running case

// What an honest submission never makes of the judge.
constexpr long kLargeKiB = 1 << 20;

void NoMemory() {
  g_no_memory = true;
  throw std::bad_alloc();
}

// Whose doing it is that an exception for want of memory has ended the case.
Charge ChargeForMemory() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss < kLargeKiB) {
    EndNotGraded("this machine has no memory left for the grader");
  }
  return Charged(Verdict::kError,
                 "what the program did takes more memory to judge than the grader has for one "
                 "submission",
                 "launch less, allocate less, or touch less memory in one call");
}

}  // namespace

void WatchMemory() { std::set_new_handler(&NoMemory); }

void CaseListener::OnTestStart(const testing::TestInfo& info) {
  case_log_.Take();
  case_log_.TakeTargets();
  g_no_memory = false;
  result_ = {.name = CaseName(info), .verdict = Verdict::kPassed, .complaints = {}};
  results_.BeginCase(result_.name);
}

void CaseListener::OnTestPartResult(const testing::TestPartResult& part) {
  if (part.passed()) return;
  const bool exception = part.file_name() == nullptr;
  if (exception && std::exchange(g_no_memory, false) && case_log_.empty()) {
    case_log_.Add(ChargeForMemory());
  }
  if (case_log_.empty()) case_log_.Add(Charged(VerdictOf(part, result_.name), part.message()));
  for (Charge& charge : case_log_.Take()) {
    result_.verdict = std::max(result_.verdict, charge.verdict);
    if (has_map_) charge.complaint.map.reset();
    has_map_ = has_map_ || charge.complaint.map;
    AddOnce(result_.complaints, std::move(charge.complaint));
  }
}

void CaseListener::OnTestEnd(const testing::TestInfo& info) {
  result_.seconds = static_cast<double>(info.result()->elapsed_time()) / 1000;
  result_.targets = case_log_.TakeTargets();
  results_.EndCase(result_);
}

}  // namespace warpcheck
