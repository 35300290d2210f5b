#include "emulator/warps/run.h"

#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"
#include "emulator/record/findings.h"
#include "emulator/warps/calls.h"
#include "emulator/warps/paths.h"
#include "emulator/warps/reconvergence.h"
#include "emulator/warps/subwarps.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

LaneMask Guarded(const std::byte* frame, const Step& step, LaneMask mask) {
  return mask & (*reinterpret_cast<const LaneMask*>(frame + step.guard) ^ step.guard_flip);
}

// Executes the ending of a block. Returns true if the warp continues on the same path, at
// path.block.
bool End(Warp& warp, const CodeBlock& code, BlockStats& stats, LaneMask mask) {
  Path& path = warp.running.paths.back();
  path.block = code.next;
  if (code.ending == Ending::kFall) return true;
  const Step& step = warp.running.program->steps.data()[code.last];
  const LaneMask lanes = Guarded(warp.running.frame, step, mask);
  switch (code.ending) {
    case Ending::kSpin:
      if (lanes != 0) {
        warp.running.state = WarpState::kSpun;
        warp.spin_cost = code.spin_cost;
      }
      [[fallthrough]];
    case Ending::kBra: {
      const auto target = static_cast<BlockId>(step.data);
      if (lanes == 0 || lanes == mask) {
        ++stats.uniform;
        if (lanes != 0) path.block = target;
        return true;
      }
      ++stats.divergent;
      Diverge(warp, lanes, target, code.next, code.reconverge);
      return true;
    }
    case Ending::kBrxIdx:
      if (lanes != 0) BranchByTable(warp, step, code, stats, lanes);
      return true;
    case Ending::kRet:
    case Ending::kExit:
      Leave(warp, lanes, code.ending == Ending::kExit);
      return path.mask != 0;
    case Ending::kTrap:
      if (lanes != 0) ReportTrap(warp, step, lanes);
      return true;
    case Ending::kCall:
      if (lanes != 0) Call(warp, step, lanes, code);
      return true;
    case Ending::kBarrier:
      if (lanes == 0) return true;
      warp.running.barrier = &step;
      warp.running.barrier_lanes = lanes;
      warp.running.state = WarpState::kAtBarrier;
      return true;
    case Ending::kFall:
      break;
  }
  return true;
}

// Executes the steps of a block. With kReconverge, returns false before a step that waits for other
// lanes. With kPropagate, the value tracker follows each step.
template <bool kReconverge, bool kPropagate>
[[gnu::always_inline]] inline bool RunSteps(Warp& warp, const CodeBlock& code, LaneMask mask) {
  std::byte* const frame = warp.running.frame;
  const Step* const first = warp.running.program->steps.data() + code.first;
  const Step* const last = warp.running.program->steps.data() + code.last;
  for (const Step* step = kReconverge ? first + warp.running.resume : first; step != last; ++step) {
    const LaneMask lanes = Guarded(frame, *step, mask);
    if (lanes == 0) [[unlikely]] {
      if (kPropagate && warp.tainted) warp.tracker->Propagate(warp, *step, mask, lanes);
      continue;
    }
    if constexpr (kReconverge) {
      if (step->members != kNoMembers && AwaitsOthers(warp, *step, lanes)) {
        warp.running.resume = static_cast<std::uint32_t>(step - first);
        warp.running.sync_lanes = lanes;
        warp.running.state = WarpState::kAtWarpSync;
        return false;
      }
    }
    if (kPropagate && warp.tainted) warp.tracker->Propagate(warp, *step, mask, lanes);
    step->function(frame, *step, lanes, warp);
  }
  if constexpr (kReconverge) warp.running.resume = 0;
  return true;
}

// Executes a block in which these lanes may have to meet lanes on another path.
template <bool kPropagate>
[[gnu::noinline]] bool RunReconverging(Warp& warp, const CodeBlock& code, LaneMask mask) {
  return RunSteps<true, kPropagate>(warp, code, mask);
}

template <bool kSubwarps, bool kPropagate>
void RunLoop(Warp& warp, std::uint64_t quantum) {
  Launch& launch = *warp.launch;
  for (; quantum != 0; --quantum) {
    Path& path = warp.running.paths.back();
    const Program& program = *warp.running.program;
    if (kSubwarps && path.awaited != 0) [[unlikely]] {
      if (WaitsAtJoin(warp, warp.running)) {
        warp.running.state = WarpState::kAtJoin;
        return;
      }
      path.awaited = 0;
    }
    if (path.block == path.reconverge || path.block == program.blocks.size()) [[unlikely]] {
      if (path.block == program.blocks.size()) Leave(warp, path.mask, false);
      if (!NextPath(warp)) return;
      continue;
    }
    const CodeBlock& code = program.blocks.data()[path.block];
    BlockStats& stats = warp.running.stats[path.block];
    const LaneMask mask = path.mask;
    if (code.may_draw && warp.block->drew && (!kSubwarps || warp.running.resume == 0)) {
      warp.block->gives_way = true;
      return;
    }
    if (!kSubwarps || warp.running.resume == 0) {
      if (*launch.budget < code.cost) [[unlikely]] {
        ReportBudget(warp, program.steps.data()[code.first]);
        return;
      }
      *launch.budget -= code.cost;
      launch.executed += code.instructions;
      ++stats.executions;
      stats.lanes += static_cast<std::uint64_t>(std::popcount(mask));
    }
    warp.active = mask;
    const bool others = !kSubwarps && (code.reconvergence_mask & ~(mask | warp.exited)) != 0;
    const bool ran = others ? RunReconverging<kPropagate>(warp, code, mask)
                            : RunSteps<kSubwarps, kPropagate>(warp, code, mask);
    if (!ran) return;
    if (launch.stopped) [[unlikely]]
      return;
    if (kPropagate && warp.tainted && code.ending != Ending::kFall) {
      const Step& step = program.steps.data()[code.last];
      warp.tracker->PropagateAtEnding(warp, step, mask, Guarded(warp.running.frame, step, mask));
    }
    if (!End(warp, code, stats, mask) && !NextPath(warp)) return;
    if (warp.running.state != WarpState::kReady || launch.stopped) [[unlikely]]
      return;
    if (kSubwarps && warp.parked.empty()) return;
  }
}

}  // namespace

void Run(Warp& warp, std::uint64_t quantum) {
  const bool subwarps = !warp.parked.empty() || warp.running.resume != 0;
  if (warp.tracker != nullptr) {
    return subwarps ? RunLoop<true, true>(warp, quantum) : RunLoop<false, true>(warp, quantum);
  }
  return subwarps ? RunLoop<true, false>(warp, quantum) : RunLoop<false, false>(warp, quantum);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
