#include "checks/finding_text.h"

#include <fmt/format.h>

#include "checks/text.h"
#include "device/dim3_text.h"
#include "device/finding_hint.h"
#include "device/mistakes.h"

namespace warpcheck {
namespace {

bool IsDeviceFault(FindingKind kind) {
  switch (kind) {
    case FindingKind::kWriteToConstant:
    case FindingKind::kIllegalAddress:
    case FindingKind::kStackOverflow:
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

}  // namespace

Charge ChargeFor(const Finding& finding) {
  std::string message = MessageOf(finding);
  if (finding.thread) {
    message += fmt::format("\n  first in block {}, thread {}", PositionText(finding.thread->block),
                           PositionText(finding.thread->thread));
    if (!finding.kernel.empty()) message += " of " + finding.kernel;
    if (finding.count > 1) message += fmt::format("; {} times in all", Grouped(finding.count));
  }
  return Charged(VerdictOf(finding.kind), std::move(message), HintFor(finding), PlaceOf(finding));
}

}  // namespace warpcheck
