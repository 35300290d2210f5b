#include "checks/finding_text.h"

#include <fmt/format.h>

#include "checks/text.h"
#include "device/finding_hint.h"
#include "device/finding_merge.h"

namespace warpcheck {
namespace {

bool IsDeviceFault(FindingKind kind) {
  switch (kind) {
    case FindingKind::kWriteToConstant:
    case FindingKind::kIllegalAddress:
    case FindingKind::kMisaligned:
    case FindingKind::kBudgetExceeded:
    case FindingKind::kDeviceAssert:
    case FindingKind::kTrap:
    case FindingKind::kInvalidPtx:
      return true;
    default:
      return false;
  }
}

Verdict VerdictOf(FindingKind kind) {
  if (kind == FindingKind::kDeviceLost) return Verdict::kHarnessFault;
  return IsDeviceFault(kind) ? Verdict::kError : Verdict::kFailed;
}

std::string PositionText(const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

}  // namespace

std::vector<Finding> Merged(const std::vector<Finding>& findings) {
  std::vector<Finding> merged;
  for (const Finding& finding : findings) AddFinding(merged, finding);
  return merged;
}

Charge ChargeFor(const Finding& finding) {
  std::string message =
      finding.message.empty() ? std::string(Meaning(finding.kind)) : finding.message;
  if (finding.thread) {
    message += fmt::format("\n  first in block {}, thread {}", PositionText(finding.thread->block),
                           PositionText(finding.thread->thread));
    if (!finding.kernel.empty()) message += " of " + finding.kernel;
    if (finding.count > 1) message += fmt::format("; {} times in all", Grouped(finding.count));
  }
  return Charged(VerdictOf(finding.kind), std::move(message), HintFor(finding.kind), finding.where);
}

}  // namespace warpcheck
