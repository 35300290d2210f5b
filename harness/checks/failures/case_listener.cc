#include "checks/failures/case_listener.h"

#include <sys/resource.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

namespace warpcheck {
namespace {

// The name of the suite in which GoogleTest reports mistakes of the test program itself, such as a
// suite that is never instantiated.
constexpr std::string_view kVerificationSuite = "GoogleTestVerification";

Verdict VerdictOf(const testing::TestPartResult& part, std::string_view case_name) {
  if (part.skipped()) return Verdict::kSkipped;
  const bool is_expectation = part.file_name() != nullptr && part.line_number() > 0;
  const bool is_students = is_expectation && !case_name.starts_with(kVerificationSuite);
  return is_students ? Verdict::kFailed : Verdict::kHarnessFault;
}

bool g_no_memory = false;  // true if operator new has failed within the running case

// Judging an honest submission takes less memory than this.
constexpr long kLargeKiB = 1 << 20;

void NoMemory() {
  g_no_memory = true;
  throw std::bad_alloc();
}

// Returns the failure of a case that ended because of a lack of memory. Ends the process without a
// verdict if the machine is to blame.
CaseFailure OutOfMemoryFailure() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss < kLargeKiB) {
    EndNotGraded("this machine has no memory left for the grader");
  }
  return MakeFailure(
      ComplaintKind::kJudgeSpent, Verdict::kError,
      "judging this program takes more memory than the grader has for one submission",
      "launch fewer kernels, or use less memory in one call");
}

}  // namespace

void WatchMemory() { std::set_new_handler(&NoMemory); }

void CaseListener::OnTestStart(const testing::TestInfo& info) {
  case_log_.Take();
  case_log_.TakeTargets();
  case_log_.TakeComparisons();
  case_log_.TakeSpeed();
  g_no_memory = false;
  result_ = {.name = CaseName(info), .verdict = Verdict::kPassed, .complaints = {}};
  results_.BeginCase(result_.name);
}

void CaseListener::OnTestPartResult(const testing::TestPartResult& part) {
  if (part.passed()) return;
  const bool exception = part.file_name() == nullptr;
  std::vector<CaseFailure> failures;
  if (exception && std::exchange(g_no_memory, false) && case_log_.empty()) {
    failures = {OutOfMemoryFailure()};
  } else {
    failures = ReportedIn(part, case_log_.Take(), VerdictOf(part, result_.name));
  }
  for (CaseFailure& failure : failures) {
    result_.verdict = std::max(result_.verdict, failure.verdict);
    if (has_map_) failure.complaint.map.reset();
    has_map_ = has_map_ || failure.complaint.map;
    auto& complaints = result_.complaints;
    if (std::ranges::find(complaints, failure.complaint) == complaints.end()) {
      complaints.push_back(std::move(failure.complaint));
    }
  }
}

void CaseListener::OnTestEnd(const testing::TestInfo& info) {
  result_.seconds = static_cast<double>(info.result()->elapsed_time()) / 1000;
  result_.targets = case_log_.TakeTargets();
  result_.comparisons = case_log_.TakeComparisons();
  result_.speed = case_log_.TakeSpeed();
  results_.EndCase(result_);
}

}  // namespace warpcheck
