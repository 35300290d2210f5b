#include "checks/failures/finding_failure.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "device/types.h"

namespace warpcheck {
namespace {

Verdict VerdictOf(FindingKind kind) {
  using enum FindingKind;
  if (kind == kDeviceLost) return Verdict::kHarnessFault;
  const bool is_fault =
      IsOneOf(kind, kWriteToConstant, kIllegalAddress, kStackOverflow, kMisaligned, kBudgetExceeded,
              kDeviceAssert, kTrap, kInvalidPtx, kUnsupportedCode);
  return is_fault ? Verdict::kError : Verdict::kFailed;
}

// Returns what tells mistakes of one kind apart: without a line, the kernel or the call.
std::string AboutOf(const Finding& finding) {
  if (PlaceOf(finding).known()) return finding.about;
  return fmt::format("{}{}{}", finding.kernel, finding.call, finding.about);
}

}  // namespace

CaseFailure FailureFor(const Finding& finding) {
  std::string message = MessageOf(finding);
  if (finding.thread) {
    message += fmt::format("\n  first in block {}, thread {}", PositionText(finding.thread->block),
                           PositionText(finding.thread->thread));
    if (!finding.kernel.empty()) message += " of " + finding.kernel;
    if (finding.count > 1) message += fmt::format("; {} times in all", Grouped(finding.count));
  }
  CaseFailure failure =
      MakeFailure({ComplaintKindOf(finding.kind), AboutOf(finding)}, VerdictOf(finding.kind),
                  std::move(message), HintFor(finding), PlaceOf(finding));
  failure.complaint.call = finding.call;
  return failure;
}

}  // namespace warpcheck
