#include "emulator/warps/subwarps.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"
#include "emulator/code/isa.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/warps/paths.h"
#include "emulator/warps/reconvergence.h"
#include "emulator/warps/warp_sync.h"

namespace warpcheck::emulator {
namespace {

// The number of basic blocks that a warp may execute before the others get their turn. The number
// is so large that warps seldom alternate, and so small that a warp which waits for another does
// not use up the budget.
constexpr std::uint64_t kQuantum = 100'000;
constexpr std::uint64_t kSubwarpQuantum = 1'000;  // the same number for the subwarps of a warp
// After this many turns of the same lanes in a loop that waits, the lanes that wait for them
// continue first.
constexpr std::uint32_t kSpinsBeforeSplit = 8;

bool Runs(const Subwarp& subwarp) {
  return subwarp.state == WarpState::kReady || subwarp.state == WarpState::kSpun;
}

// Removes from the subwarp all lanes that are not in `mask`.
void Keep(Subwarp& subwarp, LaneMask mask) {
  for (Path& path : subwarp.paths) path.mask &= mask;
  for (Frame& frame : subwarp.frames) frame.returned &= mask;
}

// Calls body(subwarp) for all subwarps of the warp, the running one first.
template <class W, class Body>
void ForEachSubwarp(W& warp, Body body) {
  body(warp.running);
  for (auto& subwarp : warp.parked) body(subwarp);
}

// Parks the lanes of the top path as a subwarp of their own, and continues with the lanes that wait
// for them. Does nothing if no lanes wait.
void Part(Warp& warp) {
  const LaneMask leaving = warp.running.paths.back().mask;
  const LaneMask others = warp.running.paths.front().mask & ~warp.exited & ~leaving;
  if (others == 0) return;
  Subwarp rest = warp.running;
  Keep(rest, ~leaving);
  Keep(warp.running, leaving);
  warp.running.registers.clear();
  warp.running.spins = 0;
  warp.parked.push_back(std::exchange(warp.running, std::move(rest)));
  warp.running.state = WarpState::kReady;
  warp.running.spins = 0;
  warp.running.resume = 0;
  NextPath(warp);
}

// Parks the lanes of the top path, which spin. No lanes wait for them at a join, and they wait for
// no lanes.
void PartSpinning(Warp& warp) {
  const LaneMask spinning = warp.running.paths.back().mask;
  ForEachSubwarp(warp, [&](Subwarp& subwarp) {
    for (Path& path : subwarp.paths) path.awaited &= ~spinning;
  });
  Part(warp);
  ForEachSubwarp(warp, [&](Subwarp& subwarp) {
    if ((subwarp.paths.back().mask & spinning) == 0) return;
    for (Path& path : subwarp.paths) path.awaited = 0;
  });
}

// Parks the lanes of the top path, which have reached an instruction that waits for other lanes.
// All lanes meet again where they would have met without it.
void PartAtSync(Warp& warp) {
  const LaneMask leaving = warp.running.paths.back().mask;
  for (Path& path : warp.running.paths) {
    if ((path.mask & leaving) != 0 && (path.mask & ~leaving) != 0) path.awaited |= path.mask;
  }
  Part(warp);
}

void CountSpin(Warp& warp) {
  const Path& path = warp.running.paths.back();
  const bool again = path.mask == warp.running.spin_lanes && path.block == warp.running.spin_block;
  warp.running.spins = again ? warp.running.spins + 1 : 1;
  warp.running.spin_lanes = path.mask;
  warp.running.spin_block = path.block;
}

// Returns true if the running lanes are at a barrier that waits for their whole warp, from any
// place in the code, and some lanes of the warp are on other paths (PTX ISA, "barrier", without
// .aligned).
bool AwaitsWarp(const Warp& warp) {
  const LaneMask others =
      warp.running.paths.front().mask & ~warp.exited & ~warp.running.paths.back().mask;
  return warp.running.barrier->e == 0 && others != 0 && (others & ~LanesOnlyExiting(warp)) != 0;
}

void RunSubwarp(Warp& warp, std::uint64_t quantum) {
  warp.running.state = WarpState::kReady;
  warp.launch->isa->run(warp, quantum);
  const bool at_barrier = warp.running.state == WarpState::kAtBarrier && AwaitsWarp(warp);
  if (warp.running.state == WarpState::kAtWarpSync || at_barrier) PartAtSync(warp);
  if (warp.running.state != WarpState::kSpun) {
    // A loop that waits may end its turn before it draws; the next turn goes on with it.
    if (!warp.block->gives_way) warp.running.spins = 0;
    warp.went_on = true;
    return;
  }
  CountSpin(warp);
  if (warp.running.spins == 1) warp.went_on = true;  // it has come to this loop
  if (warp.running.spins >= kSpinsBeforeSplit) PartSpinning(warp);
}

// Removes paths without lanes, so that stacks can be compared.
void Tidy(Subwarp& subwarp, LaneMask exited) {
  std::vector<Path> paths;
  std::size_t frame = 0;
  for (std::size_t i = 0; i < subwarp.paths.size(); ++i) {
    for (; frame < subwarp.frames.size() && subwarp.frames[frame].base == i; ++frame) {
      subwarp.frames[frame].base = paths.size();
    }
    const LaneMask gone = exited | subwarp.frames[frame - 1].returned;
    if ((subwarp.paths[i].mask & ~gone) != 0) paths.push_back(subwarp.paths[i]);
  }
  subwarp.paths = std::move(paths);
}

bool SamePlace(const Subwarp& a, const Subwarp& b) {
  const auto may_join = [](const Subwarp& s) { return Runs(s) || s.state == WarpState::kAtJoin; };
  if (!may_join(a) || !may_join(b) || a.resume != b.resume) return false;
  return std::ranges::equal(a.paths, b.paths,
                            [](const Path& x, const Path& y) {
                              return x.block == y.block && x.reconverge == y.reconverge;
                            }) &&
         std::ranges::equal(a.frames, b.frames, [](const Frame& x, const Frame& y) {
           return x.registers == y.registers && x.base == y.base && x.call == y.call;
         });
}

void Join(Subwarp& into, const Subwarp& other) {
  for (std::size_t i = 0; i < into.paths.size(); ++i) {
    into.paths[i].mask |= other.paths[i].mask;
    into.paths[i].awaited |= other.paths[i].awaited;
  }
  for (std::size_t i = 0; i < into.frames.size(); ++i) {
    into.frames[i].returned |= other.frames[i].returned;
  }
  into.spins = 0;
  if (other.state == WarpState::kReady) into.state = WarpState::kReady;
}

void JoinAll(Warp& warp) {
  Tidy(warp.running, warp.exited);
  for (Subwarp& subwarp : warp.parked) Tidy(subwarp, warp.exited);
  for (std::size_t i = 0; i < warp.parked.size(); ++i) {
    Subwarp& into = i == 0 ? warp.running : warp.parked[i - 1];
    for (std::size_t k = i; k < warp.parked.size();) {
      if (SamePlace(into, warp.parked[k])) {
        Join(into, warp.parked[k]);
        warp.parked.erase(warp.parked.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }
}

// Makes the first parked subwarp the running one, if there is one. The subwarp that ran is parked
// if `keep` is set, and dropped otherwise.
void Rotate(Warp& warp, bool keep) {
  if (warp.parked.empty()) return;
  Subwarp next = std::move(warp.parked.front());
  warp.parked.erase(warp.parked.begin());
  if (keep) warp.parked.push_back(std::move(warp.running));
  warp.running = std::move(next);
}

std::uint32_t BarrierOf(const Subwarp& subwarp) {
  const auto* numbers = Lanes<std::uint32_t>(subwarp.frame, subwarp.barrier->a);
  return numbers[std::countr_zero(subwarp.barrier_lanes)];
}

// Returns true if both wait at one barrier: at the same instruction or, without .aligned, at two
// instructions that only wait.
bool AtSameBarrier(const Subwarp& a, const Subwarp& b) {
  if (a.barrier == b.barrier && a.frame == b.frame) return true;
  const auto only_waits = [](const Step& barrier) {
    return barrier.e == 0 && static_cast<BarrierKind>(barrier.data) == BarrierKind::kSync;
  };
  return only_waits(*a.barrier) && only_waits(*b.barrier) && BarrierOf(a) == BarrierOf(b);
}

// Called when no subwarp can run. Makes a subwarp that is at a barrier the running one, and marks
// the others at this barrier as arrived.
void ReconvergeAtBarrier(Warp& warp) {
  for (std::size_t left = warp.parked.size(); warp.running.state != WarpState::kAtBarrier; --left) {
    WARPCHECK_CHECK(left != 0, "no subwarp of a warp can ever go on");
    Rotate(warp, true);
  }
  for (Subwarp& subwarp : warp.parked) {
    if (subwarp.state != WarpState::kAtBarrier || !AtSameBarrier(warp.running, subwarp)) continue;
    subwarp.state = WarpState::kArrived;
    const bool at_once =
        subwarp.barrier == warp.running.barrier && subwarp.frame == warp.running.frame;
    if (at_once) warp.running.barrier_lanes |= subwarp.barrier_lanes;
  }
}

// Makes subwarps ready that need not wait any longer at a barrier or a join.
void Wake(Warp& warp) {
  ForEachSubwarp(warp, [&](Subwarp& subwarp) {
    const bool arrived = subwarp.state == WarpState::kArrived;
    const bool joined = subwarp.state == WarpState::kAtJoin && !WaitsAtJoin(warp, subwarp);
    if (arrived || joined) subwarp.state = WarpState::kReady;
  });
}

// Makes the next subwarp that can run the running one. Returns false if no subwarp can run.
bool MakeReadyRunning(Warp& warp) {
  for (std::size_t left = warp.parked.size(); left != 0 && !Runs(warp.running); --left)
    Rotate(warp, true);
  return Runs(warp.running);
}

void RunSubwarps(Warp& warp) {
  bool moved = false;
  JoinAll(warp);
  Wake(warp);
  for (std::size_t turns = warp.parked.size() + 1; turns != 0; --turns) {
    if (Runs(warp.running)) {
      RunSubwarp(warp, kSubwarpQuantum);
      if (warp.launch->stopped) return;
      moved = moved || warp.running.state != WarpState::kSpun;
    }
    if (warp.running.state == WarpState::kDone && warp.parked.empty()) return;
    Rotate(warp, warp.running.state != WarpState::kDone);
  }
  while (Reconverge(warp, false)) moved = true;
  JoinAll(warp);
  Wake(warp);
  if (!MakeReadyRunning(warp) && Reconverge(warp, true)) {
    moved = true;
    MakeReadyRunning(warp);
  }
  if (Runs(warp.running)) {
    warp.running.state = moved ? WarpState::kReady : WarpState::kSpun;
  } else {
    ReconvergeAtBarrier(warp);
  }
}

}  // namespace

bool WaitsAtJoin(const Warp& warp, const Subwarp& subwarp) {
  const std::size_t depth = subwarp.frames.size() - 1;
  LaneMask coming = 0;
  ForEachSubwarp(warp, [&](const Subwarp& other) {
    if (&other == &subwarp || other.frames.size() <= depth) return;
    const Frame& frame = other.frames[depth];
    if (frame.registers != subwarp.frames[depth].registers) return;
    coming |= other.paths[frame.base].mask & ~frame.returned;
  });
  return (subwarp.paths.back().awaited & coming & ~warp.exited) != 0;
}

void RunWarp(Warp& warp) {
  warp.went_on = false;
  if (warp.parked.empty()) {
    RunSubwarp(warp, kQuantum);
  } else {
    RunSubwarps(warp);
  }
}

}  // namespace warpcheck::emulator
