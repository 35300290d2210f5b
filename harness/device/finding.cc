#include "device/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpcheck {
namespace {

// Returns what to do about findings of a kind; empty if their messages say it all.
const char* HintFor(FindingKind kind) {
  using enum FindingKind;
  switch (kind) {
    case kOutOfBoundsRead:
    case kOutOfBoundsWrite:
      return "guard the access with an if: threads of the last blocks can have an index outside "
             "the array. Compare every index with the extent of its own dimension";
    case kSharedOutOfBounds:
      return "make the __shared__ array large enough for all that the block keeps there, with halo "
             "and padding, or guard the access: a thread without an element there must not access "
             "it";
    case kLocalOutOfBounds:
      return "compare the index with the size of the local array";
    case kUninitialisedUse:
    case kUninitialisedRead:
      return "write every element before you read it, and read only those that you have written: "
             "new memory holds arbitrary values";
    case kStaleRead:
      return "read it as other data, without __ldg() and without `const __restrict__`: read-only "
             "data must not change while the kernel runs. No barrier and no fence helps";
    case kStackOverflow:
      return "make sure that the recursion ends: count its depth, or write it as a loop. A GPU "
             "gives each thread 1,024 bytes of stack, unless you ask for more with "
             "cudaDeviceSetLimit(cudaLimitStackSize, bytes)";
    case kUseAfterFree:
      return "free the memory only after the last kernel that uses it";
    case kWriteToConstant:
      return "write to a local variable or to another array: a kernel can only read __constant__ "
             "memory and parameters";
    case kIllegalAddress:
      return "pass the kernel pointers from cudaMalloc() or from the function's arguments: a "
             "kernel can only use device memory";
    case kMisaligned:
      return "the address must be a multiple of the size of the access (8 bytes for double or "
             "float2, 16 for float4): begin at an element with such an address, or access the "
             "elements one by one";
    case kBarrierDivergence:
    case kBarrierNotReached:
      return "every thread of the block must reach __syncthreads(): move it out of the if, and "
             "return only after the last barrier";
    case kSharedRace:
      return "put a __syncthreads() that all threads of the block reach between the write and the "
             "read, and also at the end of a loop's body. Within one warp __syncwarp() is enough";
    case kAsyncCopyRace:
      return "wait for the copy before you use its data: with __pipeline_wait_prior(N) or "
             "cp.async.wait_group N, after which the last N groups may still be in flight (0 waits "
             "for all). Wait for a bulk copy at its mbarrier, or with cp.async.bulk.wait_group. "
             "Put a __syncthreads() after the wait, because each thread waits only for its own "
             "copies. Fill a buffer again only when all threads have read it";
    case kSameValueRace:
      return "the result does not depend on the order. Let only one thread write, if that is easy";
    case kVolatileRace:
      return "access it by atomics, such as atomicExch(&flag, 1) and atomicAdd(&flag, 0), or by "
             "cuda::atomic_ref: GPUs keep volatile accesses of one word apart (PTX says so), but "
             "CUDA C++ does not promise it";
    case kNeedlessBarrier:
      return "remove the barrier, because all warps wait there for the slowest one. Keep it if "
             "other data or another launch shape needs it, for example a loop with more iterations";
    case kWarpSyncMask:
      return "all lanes of the mask must reach the call: move it out of the if, or compute the "
             "mask with __ballot_sync() from the condition before the branch";
    case kGlobalRace:
      return "let only one thread write and read each element, or do the second step in another "
             "kernel";
    case kBudgetExceeded:
      return "either a loop never ends (check its condition, and what changes in each iteration), "
             "or the kernels do far more work than the task needs, such as n * n steps for n "
             "elements";
    case kUncheckedLaunch:
      return "call cudaGetLastError() after each launch, and check what it returns";
    case kWrongCopy:
      return "check that the direction fits the two pointers (host or device), and that both "
             "arrays have at least that many bytes";
    case kUnfinishedCopy:
    case kUnfinishedKernel:
      return "wait before you use the results: call cudaDeviceSynchronize(), or "
             "cudaStreamSynchronize() with that stream";
    case kUnorderedUse:
      return "let the second stream wait for the first: record an event after the first call "
             "(cudaEventRecord), and let the stream of the second wait for it "
             "(cudaStreamWaitEvent); or let the host wait between the two (cudaStreamSynchronize)";
    case kEarlyHostUse:
      return "wait before the host uses the memory: call cudaStreamSynchronize() with that stream, "
             "cudaEventSynchronize() with an event after the call, or cudaDeviceSynchronize()";
    case kDeviceMemoryOnHost:
      return "only kernels can use memory of cudaMalloc(): copy it to the host with cudaMemcpy(), "
             "or allocate it with cudaMallocManaged(), which both sides can use";
    case kUnpromisedOrder:
      return "wait, or order the two by an event: CUDA does not promise this order, although GPUs "
             "have kept it so far";
    case kInputStore:
      return "inputs are const: write to the output only";
    case kFrameStore:
      return "before the store, let each thread check that its element is one of those to compute";
    case kOrderLimit:
      return "use memory in fewer pieces at a time: not all of them were checked";
    case kUnrecordedEvent:
      return "record the event (cudaEventRecord) before the call that waits for it: until then the "
             "wait does nothing and returns cudaSuccess";
    case kEarlyTime:
      return "wait for the later event first: call cudaEventSynchronize() with it. "
             "cudaEventElapsedTime() does not wait, and then writes no time";
    case kInvalidCapture:
      return "between cudaStreamBeginCapture and cudaStreamEndCapture only give work to the "
             "captured streams: allocate, copy with cudaMemcpy and wait before or after it, and "
             "let the first stream wait for the others (cudaEventRecord, cudaStreamWaitEvent) "
             "before the end";
    case kInvalidFree:
      return "free each allocation once, with the call that matches it: cudaFree() for "
             "cudaMalloc(), "
             "and free() in a kernel for malloc() in a kernel";
    case kUnsupportedCall:
      return "remove the call: later errors may follow from it. warpcheck offers kernels, copies, "
             "streams, events, graphs and cudaMallocAsync(); docs/run.md lists what it does not "
             "offer";
    case kDivisionByZero:
      return "make sure that the divisor of an integer / or % is never 0: a GPU then gives a "
             "number that means nothing, and no error. If it is a number of tiles or blocks, round "
             "it up";
    default:
      return "";
  }
}

// Returns true if the gap lies within one iteration, not between the end of a loop and its
// beginning.
bool IsForward(const Gap& gap) { return gap.after.line < gap.before.line; }

constexpr std::string_view kBlockBarrier = "__syncthreads()";
constexpr std::string_view kWarpBarrier = "__syncwarp()";

// Returns true if one barrier can close both gaps. A barrier of the block also orders the lanes of
// a warp.
bool MayCloseBoth(const Gap& gap, const Gap& other) {
  const auto orders = [](const Gap& one) {
    return one.barrier == kBlockBarrier || one.barrier == kWarpBarrier;
  };
  return gap.barrier == other.barrier || (orders(gap) && orders(other));
}

// Returns the lines that both gaps share, because one barrier there closes both. Returns nullopt if
// they share no line. Gaps between steps of a warp give all their lines instead, because each of
// them needs a barrier of its own.
std::optional<Gap> Joined(const Gap& gap, const Gap& other) {
  if (!MayCloseBoth(gap, other) || gap.after.file != other.after.file) return std::nullopt;
  if (IsForward(gap) != IsForward(other)) return std::nullopt;
  const bool steps = gap.barrier == kWarpBarrier && other.barrier == kWarpBarrier;
  const int after = std::max(gap.after.line, other.after.line);
  const int before = std::min(gap.before.line, other.before.line);
  if (IsForward(gap) ? after > before || (after == before && !steps) : before > after) {
    return std::nullopt;
  }
  Gap joined = gap;
  joined.after.line = steps ? std::min(gap.after.line, other.after.line) : after;
  joined.before.line = steps ? std::max(gap.before.line, other.before.line) : before;
  if (other.barrier == kBlockBarrier) joined.barrier = other.barrier;
  return joined;
}

bool SamePlace(const Finding& a, const Finding& b) {
  // A line may leave several things behind, and each needs a call of its own.
  if (a.where != b.where || a.about != b.about) return false;
  return a.where.known() || (a.kernel == b.kernel && a.message == b.message);
}

const SourceLocation& LineInKernel(const Finding& finding) {
  return finding.caller.known() ? finding.caller : finding.where;
}

// A mistake, and the findings that show it. `shown` is one of them, unchanged, so that its text,
// its line and its gap belong to one access. `gap` is what all of their gaps have in common
// (Joined).
struct Mistake {
  Finding shown;
  std::optional<Gap> gap;
  std::uint64_t count = 0;
  std::vector<Finding> others{};  // the findings that are not shown
};

// Says how well a finding shows the common gap: best if its threads miss the same barrier, and its
// own line is an end of the gap.
int FitOf(const Finding& finding, const Gap& gap) {
  if (finding.gap->barrier != gap.barrier) return 0;
  const SourceLocation& line = LineInKernel(finding);
  return line == gap.after || line == gap.before ? 2 : 1;
}

// Adds `finding` to `known` if both show the same mistake. Returns false if they do not.
bool Join(Mistake& known, const Finding& finding) {
  const auto is_race = [](FindingKind kind) {
    return IsOneOf(kind, FindingKind::kSharedRace, FindingKind::kAsyncCopyRace);
  };
  const bool alike = known.gap && finding.gap && is_race(known.shown.kind) && is_race(finding.kind);
  if (known.shown.kind != finding.kind && !alike) return false;
  if (!known.gap || !finding.gap) {
    if (known.gap != finding.gap || !SamePlace(known.shown, finding)) return false;
    known.count += finding.count;
    return true;
  }
  std::optional<Gap> joined = Joined(*known.gap, *finding.gap);
  if (!joined) return false;
  known.gap = std::move(joined);
  known.count += finding.count;
  // The first step of a warp is shown.
  const bool steps = known.gap->barrier == kWarpBarrier;
  known.others.push_back(finding);
  if (!steps && FitOf(finding, *known.gap) > FitOf(known.shown, *known.gap)) {
    std::swap(known.shown, known.others.back());
  }
  return true;
}

// Returns what to show of a mistake: a barrier in the common gap closes all of its gaps. Steps of a
// warp keep the gap of the step that is shown, because each needs a barrier of its own.
Finding ShownOf(const Mistake& mistake) {
  Finding shown = mistake.shown;
  shown.count = mistake.count;
  if (!mistake.gap || *mistake.gap == *shown.gap) return shown;
  if (mistake.gap->barrier == kWarpBarrier) {
    shown.message += fmt::format(
        "; the same is missing between the other steps from line {} to "
        "line {}",
        std::min(mistake.gap->after.line, mistake.gap->before.line),
        std::max(mistake.gap->after.line, mistake.gap->before.line));
  } else {
    shown.gap = mistake.gap;
  }
  return shown;
}

// Returns true if `finding` follows from the race: it uses memory that is written only later, or it
// is another race with a copy that the kernel never waits for. Also returns true if both say that
// an mbarrier was never initialised.
bool Explains(const Finding& race, const Finding& finding) {
  using enum FindingKind;
  if (race.kind == kUninitialisedBarrier) {
    return finding.kind == kUninitialisedUse && race.where.known() && race.where == finding.where;
  }
  const bool is_race = IsOneOf(race.kind, kSharedRace, kGlobalRace, kAsyncCopyRace);
  // A copy that no thread waits for is still in flight when the next one starts.
  const bool lacks_wait = race.kind == kAsyncCopyRace && race.gap &&
                          race.gap->barrier != kBlockBarrier && race.gap->barrier != kWarpBarrier;
  if (lacks_wait && finding.kind == kAsyncCopyRace && !finding.gap) return true;
  if (finding.kind != FindingKind::kUninitialisedUse || !is_race) return false;
  if (!finding.where.known()) return false;
  // Without a gap a line may both read what it then writes ("count[i]++"), and then nothing else
  // has given the element its first value.
  if (!race.gap) return race.where == finding.where && race.other != race.where;
  const SourceLocation& line = LineInKernel(finding);
  return race.where == finding.where || race.gap->before == line || LineInKernel(race) == line;
}

// Returns "line 12", or "helper.cuh:12" if the line is in another file than `shown`.
std::string LineText(const SourceLocation& line, const SourceLocation& shown) {
  return line.file == shown.file ? fmt::format("line {}", line.line) : line.Text();
}

}  // namespace

std::string_view Meaning(FindingKind kind) {
  static constexpr std::string_view kMeanings[] = {
#define FINDING(name, text, meaning, page) meaning,
#include "device/finding.def"
#undef FINDING
  };
  return kMeanings[static_cast<std::size_t>(kind)];
}

std::string PageOfKind(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kPages[] = {
#define FINDING(name, text, meaning, page) {text, page},
#include "device/finding.def"
#undef FINDING
  };
  const auto row = std::ranges::find(kPages, name, [](const auto& one) { return one.first; });
  if (row == std::end(kPages) || row->second.empty()) return {};
  return fmt::format("docs/findings/{}.md#{}", row->second, name);
}

bool IsOutOfBounds(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kOutOfBoundsRead, kOutOfBoundsWrite, kUseAfterFree, kSharedOutOfBounds,
                 kLocalOutOfBounds, kFrameStore);
}

bool IsMisuse(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kInvalidFree, kUncheckedLaunch, kWrongCopy, kInvalidHandle, kUnfinishedCopy,
                 kUnfinishedKernel, kUnorderedUse, kEarlyHostUse, kDeviceMemoryOnHost,
                 kUnpromisedOrder, kOrderLimit, kUnrecordedEvent, kEarlyTime, kInvalidCapture,
                 kLeak, kLeakedHandle);
}

bool IsNotOffered(FindingKind kind) {
  return IsOneOf(kind, FindingKind::kUnsupportedCall, FindingKind::kUnsupportedCode);
}

bool IsInformation(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kLeak, kLeakedHandle, kSameValueRace, kVolatileRace, kRaceLimit, kOrderLimit,
                 kNeedlessBarrier, kUnpromisedOrder, kUnrecordedEvent, kUnwrittenConstant);
}

Finding UnsupportedCall(std::string_view function) {
  return {.kind = FindingKind::kUnsupportedCall,
          .message = fmt::format(
              "{} is not offered by warpcheck: it returned cudaErrorNotSupported", function)};
}

std::string HintFor(const Finding& finding) {
  return finding.hint.empty() ? HintFor(finding.kind) : finding.hint;
}

std::vector<Finding> Mistakes(const std::vector<Finding>& findings) {
  std::vector<Mistake> joined;
  for (const Finding& finding : findings) {
    const bool known =
        std::ranges::any_of(joined, [&](Mistake& mistake) { return Join(mistake, finding); });
    if (!known) joined.push_back({.shown = finding, .gap = finding.gap, .count = finding.count});
  }
  for (std::size_t i = 0; i < joined.size();) {
    // A race may have been joined with others, each of which explains what it has caused.
    const auto race = std::ranges::find_if(joined, [&](const Mistake& mistake) {
      const auto explains = [&](const Finding& one) { return Explains(one, joined[i].shown); };
      return explains(mistake.shown) || std::ranges::any_of(mistake.others, explains);
    });
    if (race == joined.end()) {
      ++i;
    } else if (race > joined.begin() + static_cast<std::ptrdiff_t>(i)) {
      joined[i] = std::move(*race);  // the race replaces the findings that it explains
      joined.erase(race);
    } else {
      joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  std::vector<Finding> mistakes;
  for (const Mistake& one : joined) mistakes.push_back(ShownOf(one));
  return mistakes;
}

const SourceLocation& PlaceOf(const Finding& finding) {
  if (!finding.gap) return finding.where;
  const auto& [after, before, barrier] = *finding.gap;
  const SourceLocation& line = LineInKernel(finding);
  if (line == after || line == before) return line;
  // The gap is one of several, or both accesses are in a function that the kernel calls.
  return finding.where.file == after.file ? finding.where : line;
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
             : fmt::format("no {} after {}, before {} runs again: {}", barrier, one, other,
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
