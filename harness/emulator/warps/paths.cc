#include "emulator/warps/paths.h"

#include <bit>
#include <vector>

#include "emulator/warps/frames.h"

namespace warpcheck::emulator {
namespace {

// Makes the lanes of the top path meet at `block`, after the paths that are pushed next. Drops the
// path if the path below it meets there too, except at the function's end, where the path is needed
// to leave.
void WaitAt(Warp& warp, BlockId block) {
  if (warp.running.paths.back().reconverge == block &&
      block != warp.running.program->blocks.size()) {
    warp.running.paths.pop_back();
  } else {
    warp.running.paths.back().block = block;
  }
}

}  // namespace

void PushPath(Warp& warp, BlockId block, BlockId reconverge, LaneMask mask) {
  warp.running.paths.push_back({block, reconverge, mask});
}

bool NextPath(Warp& warp) {
  warp.running.paths.pop_back();
  for (;;) {
    const Frame& frame = warp.running.frames.back();
    if (warp.running.paths.size() == frame.base) {
      if (warp.running.frames.size() == 1) {
        warp.running.state = WarpState::kDone;
        return false;
      }
      LeaveFunction(warp);
      continue;
    }
    Path& path = warp.running.paths.back();
    path.mask &= ~(warp.exited | frame.returned);
    if (path.mask != 0) return true;
    warp.running.paths.pop_back();
  }
}

void Diverge(Warp& warp, LaneMask jumping, BlockId target, BlockId next, BlockId reconverge) {
  const LaneMask falling = warp.running.paths.back().mask & ~jumping;
  WaitAt(warp, reconverge);
  if (next != reconverge) PushPath(warp, next, reconverge, falling);
  if (target != reconverge) PushPath(warp, target, reconverge, jumping);
}

void Leave(Warp& warp, LaneMask lanes, bool exit) {
  if (exit || warp.running.frames.size() == 1) {
    warp.exited |= lanes;
  } else {
    warp.running.frames.back().returned |= lanes;
  }
  warp.running.paths.back().mask &= ~lanes;
}

void BranchByTable(Warp& warp, const Step& step, const CodeBlock& code, BlockStats& stats,
                   LaneMask lanes) {
  const std::vector<BlockId>& table = warp.running.program->tables[step.data];
  const auto* index = Lanes<std::uint32_t>(warp.running.frame, step.a);
  const auto target = [&](auto lane) {
    const std::uint32_t i = index[lane];
    return i < table.size() ? table[i] : code.next;
  };
  const auto bound_for = [&](BlockId to, LaneMask among) {
    return LanesAmong(among, [&](std::size_t lane) { return target(lane) == to; });
  };
  const LaneMask staying = warp.running.paths.back().mask & ~lanes;
  const BlockId first = target(std::countr_zero(lanes));
  if (bound_for(first, lanes) == lanes && staying == 0) {
    ++stats.uniform;
    warp.running.paths.back().block = first;
    return;
  }
  ++stats.divergent;
  WaitAt(warp, code.reconverge);
  if (staying != 0) PushPath(warp, code.next, code.reconverge, staying);
  for (LaneMask rest = lanes; rest != 0;) {
    const BlockId to = target(std::countr_zero(rest));
    const LaneMask same = bound_for(to, rest);
    if (to != code.reconverge) PushPath(warp, to, code.reconverge, same);
    rest &= ~same;
  }
}

}  // namespace warpcheck::emulator
