#include "trial/case_listener.h"

#include <sys/resource.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

namespace warpcheck {
namespace {

// GoogleTest's own test of the test program: names in the checks that fit nothing.
constexpr std::string_view kVerificationSuite = "GoogleTestVerification";

Verdict VerdictOf(const testing::TestPartResult& part, std::string_view case_name) {
  if (part.skipped()) return Verdict::kSkipped;
  const bool is_expectation = part.file_name() != nullptr && part.line_number() > 0;
  const bool is_students = is_expectation && !case_name.starts_with(kVerificationSuite);
  return is_students ? Verdict::kFailed : Verdict::kHarnessFault;
}

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
    auto& complaints = result_.complaints;
    if (std::ranges::find(complaints, charge.complaint) == complaints.end()) {
      complaints.push_back(std::move(charge.complaint));
    }
  }
}

void CaseListener::OnTestEnd(const testing::TestInfo& info) {
  result_.seconds = static_cast<double>(info.result()->elapsed_time()) / 1000;
  result_.targets = case_log_.TakeTargets();
  results_.EndCase(result_);
}

}  // namespace warpcheck
