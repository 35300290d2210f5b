#include "device/finding.h"

#include <array>

namespace warpcheck {

namespace {

struct Row {
  std::string_view name;
  std::string_view meaning;
};

constexpr auto kRows = std::to_array<Row>({
#define FINDING(name, text, meaning) {text, meaning},
#include "device/finding.def"
#undef FINDING
});

}  // namespace

std::string_view Name(FindingKind kind) { return kRows[static_cast<std::size_t>(kind)].name; }

std::string_view Meaning(FindingKind kind) { return kRows[static_cast<std::size_t>(kind)].meaning; }

std::optional<FindingKind> FindingKindNamed(std::string_view name) {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<FindingKind>(i);
  }
  return std::nullopt;
}

bool IsOutOfBounds(FindingKind kind) {
  switch (kind) {
    case FindingKind::kOutOfBoundsRead:
    case FindingKind::kOutOfBoundsWrite:
    case FindingKind::kUseAfterFree:
    case FindingKind::kSharedOutOfBounds:
    case FindingKind::kLocalOutOfBounds:
      return true;
    default:
      return false;
  }
}

bool IsMisuse(FindingKind kind) {
  switch (kind) {
    case FindingKind::kInvalidFree:
    case FindingKind::kUncheckedLaunch:
    case FindingKind::kWrongCopy:
    case FindingKind::kInvalidHandle:
    case FindingKind::kUnfinishedCopy:
    case FindingKind::kUnfinishedKernel:
    case FindingKind::kLeak:
      return true;
    default:
      return false;
  }
}

bool IsInformation(FindingKind kind) {
  return kind == FindingKind::kLeak || kind == FindingKind::kSameValueRace ||
         kind == FindingKind::kRaceLimit || kind == FindingKind::kNeedlessBarrier;
}

namespace {

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
             "and local arrays hold nothing of meaning at first";
    case FindingKind::kStackOverflow:
      return "a recursion has to end: count its depth, or write it as a loop; a GPU gives each "
             "thread 1,024 bytes of stack, unless cudaDeviceSetLimit(cudaLimitStackSize, bytes) "
             "asks for more";
    case FindingKind::kUseAfterFree:
      return "free memory after the last kernel that uses it";
    case FindingKind::kWriteToConstant:
      return "compute into a register or an array of your own: __constant__ memory and parameters "
             "are read only";
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
    case FindingKind::kAsyncCopyRace:
      return "wait for the copy (__pipeline_wait_prior(N), cp.async.wait_group N, where N groups "
             "that were committed later may still be under way: 0 waits for all), and put a "
             "__syncthreads() behind the wait, for each thread waits for its own copies alone; "
             "let all have read a buffer before it is filled again; the end of a bulk copy is told "
             "by its mbarrier, or by cp.async.bulk.wait_group";
    case FindingKind::kSameValueRace:
      return "the result is right whoever is last; let one thread write where that is as easy";
    case FindingKind::kNeedlessBarrier:
      return "every barrier lets all warps wait for the slowest: leave it out, unless other data "
             "or "
             "another shape of the launch needs it, as the end of a loop of more turns does";
    case FindingKind::kWarpSyncMask:
      return "let all lanes of the mask reach the call: move it out of the if, or make the mask "
             "with "
             "__ballot_sync() of the condition before the branch";
    case FindingKind::kGlobalRace:
      return "let each element be written by one thread and read by none but it, use an atomic, or "
             "do the second step in a kernel of its own";
    case FindingKind::kBudgetExceeded:
      return "look for a loop whose end is never reached";
    case FindingKind::kUncheckedLaunch:
      return "call cudaGetLastError() after each launch, and look at what it returns";
    case FindingKind::kWrongCopy:
      return "compare the direction with where the two pointers come from, and the size, which is "
             "in "
             "bytes, with both arrays";
    case FindingKind::kUnfinishedCopy:
    case FindingKind::kUnfinishedKernel:
      return "wait before the results are used: cudaDeviceSynchronize(), or "
             "cudaStreamSynchronize() "
             "of that stream";
    case FindingKind::kInvalidFree:
      return "free each allocation once, by the pointer that it was given as, with what belongs to "
             "its allocation: cudaFree() for cudaMalloc(), free() in a kernel for malloc() there";
    case FindingKind::kLeak:
      return "call cudaFree() for every cudaMalloc()";
    case FindingKind::kUnsupportedCall:
      return "leave that call out: what fails later may follow from it; kernels, copies, streams, "
             "events and cudaMallocAsync() are offered (docs/run.md lists what is not)";
    default:
      return "";
  }
}

}  // namespace

std::string HintFor(const Finding& finding) {
  return finding.hint.empty() ? HintFor(finding.kind) : finding.hint;
}

}  // namespace warpcheck
