#include "device/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpcheck {
namespace {

const char* HintFor(FindingKind kind) {
  using enum FindingKind;
  switch (kind) {
    case kOutOfBoundsRead:
    case kOutOfBoundsWrite:
      return "guard the access: threads of the last blocks can lie outside the array; check every "
             "index against the extent of its own dimension";
    case kSharedOutOfBounds:
      return "compare the index with the extents of the __shared__ array, padding included";
    case kLocalOutOfBounds:
      return "compare the index with the length of the local array";
    case kUninitialisedUse:
    case kUninitialisedRead:
      return "write every element before it is read: memory holds nothing of meaning at first";
    case kStackOverflow:
      return "a recursion has to end: count its depth, or write it as a loop; a GPU gives each "
             "thread 1,024 bytes of stack, unless cudaDeviceSetLimit(cudaLimitStackSize, bytes) "
             "asks for more";
    case kUseAfterFree:
      return "free memory after the last kernel that uses it";
    case kWriteToConstant:
      return "compute into a register or an array of your own: __constant__ memory and parameters "
             "are read only";
    case kIllegalAddress:
      return "a kernel can use device memory only: pass it pointers from cudaMalloc or from the "
             "function's arguments";
    case kMisaligned:
      return "an access needs an address that is a multiple of its bytes (8 of a double or float2, "
             "16 "
             "of a float4): begin at such an element, or access the elements one by one";
    case kBarrierDivergence:
    case kBarrierNotReached:
      return "every thread of the block has to reach __syncthreads(): move it out of the if, and "
             "return early only after the last barrier";
    case kSharedRace:
      return "put a __syncthreads() that all threads of the block reach between the write and the "
             "read, at the end of a loop's body too; __syncwarp() does within one warp";
    case kAsyncCopyRace:
      return "wait for the copy (__pipeline_wait_prior(N), cp.async.wait_group N, where N groups "
             "that were committed later may still be under way: 0 waits for all), and put a "
             "__syncthreads() behind the wait, for each thread waits for its own copies alone; "
             "let all have read a buffer before it is filled again; the end of a bulk copy is told "
             "by its mbarrier, or by cp.async.bulk.wait_group";
    case kSameValueRace:
      return "the result is right whoever is last; let one thread write where that is as easy";
    case kNeedlessBarrier:
      return "every barrier lets all warps wait for the slowest: leave it out, unless other data "
             "or another shape of the launch needs it, as the end of a loop of more turns does";
    case kWarpSyncMask:
      return "let all lanes of the mask reach the call: move it out of the if, or make the mask "
             "with __ballot_sync() of the condition before the branch";
    case kGlobalRace:
      return "let each element be written by one thread and read by none but it, use an atomic, or "
             "do the second step in a kernel of its own";
    case kBudgetExceeded:
      return "look for a loop whose end is never reached";
    case kUncheckedLaunch:
      return "call cudaGetLastError() after each launch, and look at what it returns";
    case kWrongCopy:
      return "compare the direction with where the two pointers come from, and the size, which is "
             "in bytes, with both arrays";
    case kUnfinishedCopy:
    case kUnfinishedKernel:
      return "wait before the results are used: cudaDeviceSynchronize(), or "
             "cudaStreamSynchronize() "
             "of that stream";
    case kInvalidFree:
      return "an allocation is freed once, by whoever made it, with the call that belongs to it: "
             "cudaFree() for cudaMalloc(), free() in a kernel for malloc() there";
    case kLeak:
      return "call cudaFree() for every cudaMalloc()";
    case kUnsupportedCall:
      return "leave that call out: what fails later may follow from it; kernels, copies, streams, "
             "events and cudaMallocAsync() are offered (docs/run.md lists what is not)";
    default:
      return "";
  }
}

// A gap within one pass, not from the end of a loop to its beginning.
bool IsForward(const Gap& gap) { return gap.after.line < gap.before.line; }

constexpr std::string_view kBlockBarrier = "__syncthreads()";
constexpr std::string_view kWarpBarrier = "__syncwarp()";

// A barrier of the block orders the lanes of a warp too.
bool MayMendBoth(const Gap& gap, const Gap& other) {
  const auto orders = [](const Gap& one) {
    return one.barrier == kBlockBarrier || one.barrier == kWarpBarrier;
  };
  return gap.barrier == other.barrier || (orders(gap) && orders(other));
}

// Of two gaps those lines that are in both, where there are any: one barrier there mends both. Of a
// warp's steps, which each need one of their own, all lines.
bool Join(Gap& gap, const Gap& other) {
  if (!MayMendBoth(gap, other) || gap.after.file != other.after.file) return false;
  if (IsForward(gap) != IsForward(other)) return false;
  const bool steps = gap.barrier == kWarpBarrier && other.barrier == kWarpBarrier;
  const int after = std::max(gap.after.line, other.after.line);
  const int before = std::min(gap.before.line, other.before.line);
  if (IsForward(gap) ? after > before || (after == before && !steps) : before > after) return false;
  gap.after.line = steps ? std::min(gap.after.line, other.after.line) : after;
  gap.before.line = steps ? std::max(gap.before.line, other.before.line) : before;
  if (other.barrier == kBlockBarrier) gap.barrier = other.barrier;
  return true;
}

bool SamePlace(const Finding& a, const Finding& b) {
  if (a.where != b.where) return false;
  return a.where.known() || (a.kernel == b.kernel && a.message == b.message);
}

// True where `known` tells of `finding` too.
bool Join(Finding& known, const Finding& finding) {
  const auto is_race = [](FindingKind kind) {
    return IsOneOf(kind, FindingKind::kSharedRace, FindingKind::kAsyncCopyRace);
  };
  const bool alike = known.gap && finding.gap && is_race(known.kind) && is_race(finding.kind);
  if (known.kind != finding.kind && !alike) return false;
  if (!known.gap || !finding.gap) {
    const bool same = known.gap == finding.gap && SamePlace(known, finding);
    if (same) known.count += finding.count;
    return same;
  }
  const std::string told = known.gap->barrier;
  if (!Join(*known.gap, *finding.gap)) return false;
  const std::uint64_t count = known.count + finding.count;
  if (known.gap->barrier != told) {  // threads of two warps are told of, not lanes of one
    Gap gap = *known.gap;
    known = finding;
    known.gap = std::move(gap);
  }
  known.count = count;
  return true;
}

const SourceLocation& LineInKernel(const Finding& finding) {
  return finding.caller.known() ? finding.caller : finding.where;
}

// Whether a race says why `finding`, a use of what was never written, found nothing there; or, of a
// copy without a wait, why there are more.
bool Explains(const Finding& race, const Finding& finding) {
  using enum FindingKind;
  const bool is_race = IsOneOf(race.kind, kSharedRace, kGlobalRace, kAsyncCopyRace);
  // A copy that nobody waits for is under way still where the next one is made.
  const bool lacks_wait = race.kind == kAsyncCopyRace && race.gap &&
                          race.gap->barrier != kBlockBarrier && race.gap->barrier != kWarpBarrier;
  if (lacks_wait && finding.kind == kAsyncCopyRace && !finding.gap) return true;
  if (finding.kind != FindingKind::kUninitialisedUse || !is_race) return false;
  if (!finding.where.known() || !race.gap) return false;
  const SourceLocation& line = LineInKernel(finding);
  return race.where == finding.where || race.gap->before == line || LineInKernel(race) == line;
}

// "line 12", "helper.cuh:12" where that is another file than the one that is shown.
std::string LineText(const SourceLocation& line, const SourceLocation& shown) {
  return line.file == shown.file ? fmt::format("line {}", line.line) : line.Text();
}

}  // namespace

std::string_view Meaning(FindingKind kind) {
  static constexpr std::string_view kMeanings[] = {
#define FINDING(name, text, meaning) meaning,
#include "device/finding.def"
#undef FINDING
  };
  return kMeanings[static_cast<std::size_t>(kind)];
}

bool IsOutOfBounds(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kOutOfBoundsRead, kOutOfBoundsWrite, kUseAfterFree, kSharedOutOfBounds,
                 kLocalOutOfBounds);
}

bool IsMisuse(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kInvalidFree, kUncheckedLaunch, kWrongCopy, kInvalidHandle, kUnfinishedCopy,
                 kUnfinishedKernel, kLeak);
}

bool IsInformation(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kLeak, kSameValueRace, kRaceLimit, kNeedlessBarrier);
}

std::string HintFor(const Finding& finding) {
  return finding.hint.empty() ? HintFor(finding.kind) : finding.hint;
}

std::vector<Finding> Mistakes(const std::vector<Finding>& findings) {
  std::vector<Finding> mistakes;
  for (const Finding& finding : findings) {
    const bool known =
        std::ranges::any_of(mistakes, [&](Finding& mistake) { return Join(mistake, finding); });
    if (!known) mistakes.push_back(finding);
  }
  for (std::size_t i = 0; i < mistakes.size();) {
    const auto race = std::ranges::find_if(
        mistakes, [&](const Finding& mistake) { return Explains(mistake, mistakes[i]); });
    if (race == mistakes.end()) {
      ++i;
    } else if (race > mistakes.begin() + static_cast<std::ptrdiff_t>(i)) {
      mistakes[i] = std::move(*race);  // it takes the place of what it explains
      mistakes.erase(race);
    } else {
      mistakes.erase(mistakes.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return mistakes;
}

const SourceLocation& PlaceOf(const Finding& finding) {
  if (!finding.gap) return finding.where;
  const auto& [after, before, barrier] = *finding.gap;
  const SourceLocation& line = LineInKernel(finding);
  if (line == after || line == before) return line;
  return IsForward(*finding.gap) ? before : after;
}

std::string MessageOf(const Finding& finding) {
  std::string message =
      finding.message.empty() ? std::string(Meaning(finding.kind)) : finding.message;
  if (!finding.gap) {
    return finding.caller.known()
               ? message + ", called at " + LineText(finding.caller, finding.where)
               : message;
  }
  if (finding.caller.known()) {
    message += fmt::format("; the function called there does so in {}",
                           LineText(finding.where, PlaceOf(finding)));
  }
  const auto& [after, before, barrier] = *finding.gap;
  const std::string one = LineText(after, PlaceOf(finding));
  const std::string other = LineText(before, PlaceOf(finding));
  return IsForward(*finding.gap)
             ? fmt::format("no {} between {} and {}: {}", barrier, one, other, message)
             : fmt::format("no {} after {}, before {} comes round again: {}", barrier, one, other,
                           message);
}

void AddFinding(std::vector<Finding>& findings, const Finding& finding) {
  Finding* last = nullptr;
  std::size_t of_its_kind = 0;
  for (Finding& other : findings) {
    if (other.kind != finding.kind) continue;
    if (other.other == finding.other && SamePlace(other, finding)) {
      other.count += finding.count;
      return;
    }
    last = &other;
    ++of_its_kind;
  }
  if (of_its_kind < kMostFindingsOfAKind) {
    findings.push_back(finding);
  } else {
    last->count += finding.count;
  }
}

}  // namespace warpcheck
