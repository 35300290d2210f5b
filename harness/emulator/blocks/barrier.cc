#include "emulator/blocks/barrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/record/findings.h"
#include "emulator/warps/warp_sync.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kMostThreads =
    1024;  // the most threads of a block (CUDA C++ Programming Guide, table of limits)

std::uint32_t FirstValue(const Warp& warp, Slot slot) {
  return Lanes<std::uint32_t>(warp.running.frame,
                              slot)[std::countr_zero(warp.running.barrier_lanes)];
}

BarrierKind KindOf(const Warp& warp) {
  return static_cast<BarrierKind>(warp.running.barrier->data);
}

// Returns how many threads of the block have ended. Usually no thread has, and this case is fast.
std::uint64_t EndedThreads(const Block& block) {
  LaneMask any = 0;
  for (const Warp& warp : block.warps) any |= warp.exited;
  if (any == 0) return 0;
  std::uint64_t alive = 0;
  for (const Warp& warp : block.warps) alive += static_cast<unsigned>(std::popcount(~warp.exited));
  return block.launch->request->block.Count() - alive;
}

// Returns the lanes of the warp that have reached the barrier. With .aligned they must be at one
// instruction.
LaneMask LanesAt(const Warp& warp) {
  LaneMask here = warp.running.barrier_lanes;
  if (warp.running.barrier->e != 0) return here;
  for (const Subwarp& subwarp : warp.parked) {
    if (subwarp.state == WarpState::kArrived) here |= subwarp.barrier_lanes;
  }
  return here | (~here == warp.exited ? 0 : LanesOnlyExiting(warp));
}

void ReportDivergence(Block& block, Warp& warp) {
  const LaneMask alive = ~warp.exited;
  const LaneMask missing = alive & ~LanesAt(warp);
  if (missing == 0) return;
  block.barrier_trouble = true;
  Report(warp, *warp.running.barrier, FindingKind::kBarrierDivergence, missing,
         fmt::format("only {} of the {} threads of a warp reach this barrier: the others took "
                     "another branch",
                     std::popcount(alive & ~missing), std::popcount(alive)));
}

void ReportEnded(Block& block, Warp& warp) {
  const std::uint64_t ended = EndedThreads(block);
  if (ended == 0 || block.barrier_trouble) return;
  block.barrier_trouble = true;
  Report(warp, *warp.running.barrier, FindingKind::kBarrierNotReached, warp.running.barrier_lanes,
         fmt::format("{} of the {} threads of the block ended without reaching this barrier", ended,
                     block.launch->request->block.Count()));
}

// Computes the result of bar.red over the threads that wait at barrier `id`, and stores it for each
// thread.
void Reduce(Block& block, std::uint32_t id) {
  std::uint32_t count = 0;
  bool all = true;
  for (const Warp& warp : block.warps) {
    if (warp.running.state != WarpState::kAtBarrier || warp.barrier_id != id) continue;
    const LaneMask holds =
        (*reinterpret_cast<const LaneMask*>(warp.running.frame + warp.running.barrier->c) ^
         warp.running.barrier->flip) &
        warp.running.barrier_lanes;
    count += static_cast<std::uint32_t>(std::popcount(holds));
    all = all && holds == warp.running.barrier_lanes;
  }
  for (Warp& warp : block.warps) {
    if (warp.running.state != WarpState::kAtBarrier || warp.barrier_id != id) continue;
    const BarrierKind kind = KindOf(warp);
    if (kind == BarrierKind::kPopc) {
      auto* to = Lanes<std::uint32_t>(warp.running.frame, warp.running.barrier->d);
      EachLane(warp.running.barrier_lanes, [&](std::size_t lane) { to[lane] = count; });
    } else if (kind == BarrierKind::kAnd || kind == BarrierKind::kOr) {
      LaneMask& to = Predicate(warp.running.frame, warp.running.barrier->d);
      const bool result = kind == BarrierKind::kAnd ? all : count != 0;
      to = (to & ~warp.running.barrier_lanes) | (result ? warp.running.barrier_lanes : 0);
    }
  }
}

std::uint32_t LiveWarps(const Block& block) {
  std::uint32_t live = 0;
  for (const Warp& warp : block.warps) live += warp.running.state == WarpState::kDone ? 0 : 1;
  return live;
}

Warp* FirstWaiting(Block& block, std::uint32_t id) {
  for (Warp& warp : block.warps) {
    if (warp.running.state == WarpState::kAtBarrier && warp.barrier_id == id) return &warp;
  }
  return nullptr;
}

}  // namespace

void Arrive(Block& block, Warp& warp) {
  const auto refuse = [&](std::string why) {
    Report(warp, *warp.running.barrier, FindingKind::kTrap, warp.running.barrier_lanes,
           std::move(why));
    block.launch->Stop(DeviceError::kIllegalInstruction);
  };
  const std::uint32_t id = FirstValue(warp, warp.running.barrier->a);
  if (id >= kBarriers) {
    return refuse(fmt::format("barrier {} does not exist: there are {}", id, kBarriers));
  }
  const std::uint32_t threads = FirstValue(warp, warp.running.barrier->b);
  if (threads > kMostThreads) {
    return refuse(fmt::format("the barrier waits for {} threads, but a block has at most {}",
                              threads, kMostThreads));
  }
  BarrierState& barrier = block.barriers[id];
  warp.barrier_id = id;
  if (threads != 0) barrier.threads = threads;
  ReportDivergence(block, warp);
  if (KindOf(warp) == BarrierKind::kArrive) {
    ++barrier.arrived;
    barrier.arrived_warps |= 1U << warp.index;
    warp.running.state = WarpState::kReady;
  } else {
    ++barrier.waiting;
  }
}

bool Release(Block& block) {
  bool released = false;
  for (std::uint32_t id = 0; id < kBarriers; ++id) {
    BarrierState& barrier = block.barriers[id];
    if (barrier.waiting == 0) continue;
    const bool whole_block = barrier.threads == 0;
    const std::uint32_t expected =
        whole_block ? LiveWarps(block) : (barrier.threads + kLanes - 1) / kLanes;
    if (barrier.waiting + barrier.arrived < expected) continue;
    if (whole_block) ReportEnded(block, *FirstWaiting(block, id));
    std::uint32_t waited = 0;
    for (const Warp& warp : block.warps) {
      if (warp.running.state == WarpState::kAtBarrier && warp.barrier_id == id) {
        waited |= 1U << warp.index;
      }
    }
    if (block.launch->observers != nullptr) {
      Tell(*block.launch->observers, &Observer::OnBarrier,
           BarrierEvent{
               .block = block, .barrier = id, .waited = waited, .arrived = barrier.arrived_warps});
    }
    if (KindOf(*FirstWaiting(block, id)) != BarrierKind::kSync) Reduce(block, id);
    for (Warp& warp : block.warps) {
      if (((waited >> warp.index) & 1U) != 0) warp.running.state = WarpState::kReady;
    }
    barrier = {};
    released = true;
  }
  return released;
}

void ReportDeadlock(Block& block) {
  for (Warp& warp : block.warps) {
    if (warp.running.state != WarpState::kAtBarrier) continue;
    const auto here = std::count_if(block.warps.begin(), block.warps.end(), [&](const Warp& other) {
      return other.running.state == WarpState::kAtBarrier &&
             other.running.barrier == warp.running.barrier;
    });
    Report(warp, *warp.running.barrier, FindingKind::kBarrierNotReached, warp.running.barrier_lanes,
           fmt::format("deadlock: {} of the {} warps of the block wait{} here at barrier {}, and "
                       "no other warp will reach it",
                       here, block.warps.size(), here == 1 ? "s" : "", warp.barrier_id));
  }
  block.launch->Stop(DeviceError::kLaunchTimeout);
}

}  // namespace warpcheck::emulator
