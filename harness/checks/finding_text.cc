#include "checks/finding_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "checks/text.h"

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

const char* HintFor(FindingKind kind) {
  switch (kind) {
    case FindingKind::kOutOfBoundsRead:
    case FindingKind::kOutOfBoundsWrite:
      return "guard the access: threads of the last blocks can lie outside the array; check every "
             "index against the extent of its own dimension";
    case FindingKind::kSharedOutOfBounds:
      return "compare the index with the extents of the __shared__ array, padding included";
    case FindingKind::kLocalOutOfBounds:
      return "compare the index with the length of the local array";
    case FindingKind::kUninitialisedUse:
    case FindingKind::kUninitialisedRead:
      return "write every element before it is read: outputs and memory from cudaMalloc, shared "
             "and "
             "local arrays hold nothing of meaning at first";
    case FindingKind::kUseAfterFree:
      return "free memory after the last kernel that uses it";
    case FindingKind::kIllegalAddress:
      return "a kernel can use device memory only: pass it pointers from cudaMalloc or from the "
             "function's arguments";
    case FindingKind::kMisaligned:
      return "a vector access (float2, float4) needs an address that is a multiple of its width";
    case FindingKind::kBarrierDivergence:
    case FindingKind::kBarrierNotReached:
      return "every thread of the block has to reach __syncthreads(): move it out of the if, and "
             "return early only after the last barrier";
    case FindingKind::kSharedRace:
      return "put a __syncthreads() that all threads of the block reach between the write and the "
             "read, at the end of a loop's body too; __syncwarp() does within one warp";
    case FindingKind::kGlobalRace:
      return "let each element be written by one thread and read by none but it, use an atomic, or "
             "do the second step in a kernel of its own";
    case FindingKind::kBudgetExceeded:
      return "look for a loop whose end is never reached";
    case FindingKind::kInvalidLaunch:
      return "choose a block of at most 1024 threads in all, and a grid that is not empty";
    default:
      return "";
  }
}

std::string PositionText(const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); }

bool SamePlace(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.where != b.where) return false;
  return a.where.known() || (a.kernel == b.kernel && a.message == b.message);
}

}  // namespace

std::vector<Finding> Merged(const std::vector<Finding>& findings) {
  std::vector<Finding> merged;
  for (const Finding& finding : findings) {
    const auto known = std::find_if(merged.begin(), merged.end(), [&](const Finding& other) {
      return SamePlace(finding, other);
    });
    if (known == merged.end()) {
      merged.push_back(finding);
    } else {
      known->count += finding.count;
    }
  }
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
