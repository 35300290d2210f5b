#include "emulator/blocks/block_run.h"

#include <algorithm>
#include <numeric>

#include "emulator/blocks/barrier.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/warps/frames.h"
#include "emulator/warps/subwarps.h"

namespace warpcheck::emulator {
namespace {

LaneMask ExistingLanes(std::uint64_t threads, std::uint32_t warp) {
  const std::uint64_t first = std::uint64_t{warp} * kLanes;
  const std::uint64_t count = std::min<std::uint64_t>(threads - first, kLanes);
  return count == kLanes ? kAllLanes : (LaneMask{1} << count) - 1;
}

void StartWarp(Block& block, Warp& warp) {
  const LaneMask lanes = ExistingLanes(block.launch->request->block.Count(), warp.index);
  warp.exited = ~lanes;
  warp.running.state = WarpState::kReady;
  warp.running.paths.clear();
  warp.running.frames.clear();
  warp.parked.clear();
  warp.running.resume = 0;
  warp.running.spins = 0;
  warp.running.barrier = nullptr;
  warp.carry = 0;
  EnterFunction(warp, block.launch->kernel->entry(), lanes, nullptr);
}

// Says what happened in one round over the warps that were ready.
struct Round {
  bool any = false;     // at least one warp was ready
  bool polled = false;  // at least one warp took a turn in a loop that waits
  // At least one warp did something other than waiting in a loop or reaching a barrier.
  bool worked = false;
};

// A loop that waits may contain barriers. So at most this many rounds, in which warps only reach
// barriers, may lie between two rounds in which they poll.
constexpr std::uint32_t kBarriersOfALoop = 8;

// Runs every ready warp once.
Round RunReady(Block& block) {
  Launch& launch = *block.launch;
  Round round;
  for (const std::uint32_t i : block.order) {
    Warp& warp = block.warps[i];
    if (warp.running.state != WarpState::kReady && warp.running.state != WarpState::kSpun) continue;
    RunWarp(warp);
    if (launch.stopped) return round;
    const bool polled = warp.running.state == WarpState::kSpun;
    const bool at_barrier = warp.running.state == WarpState::kAtBarrier;
    round.any = true;
    round.polled = round.polled || polled;
    round.worked = round.worked || (!polled && !at_barrier);
    if (at_barrier) Arrive(block, warp);
    if (launch.stopped) return round;
  }
  return round;
}

// Returns what the launch has done in global memory until now.
MovedWork Moved(const Launch& launch) {
  MovedWork moved;
  for (const auto& [program, counts] : launch.counts) {
    for (std::size_t m = 0; m < program->memory.size(); ++m) {
      const MemoryInfo& info = program->memory[m];
      const Tally global = counts.sites[m].Global();
      moved.bytes += GlobalBytes(info, global);
      if (info.kind == MemoryInfo::Kind::kAtomic) moved.draws += global.requests;
    }
  }
  return moved;
}

// Adds to the block what was done since the last turn of a block ended.
void NoteMoved(Block& block) {
  Launch& launch = *block.launch;
  const MovedWork moved = Moved(launch);
  block.moved += moved - launch.moved;
  launch.moved = moved;
}

bool Ended(const Block& block) {
  return std::ranges::all_of(
      block.warps, [](const Warp& warp) { return warp.running.state == WarpState::kDone; });
}

// Runs the block as RunBlock does.
bool TakeTurn(Block& block, std::uint32_t patience) {
  const Launch& launch = *block.launch;
  std::uint32_t waited = 0;  // the number of rounds in which warps polled
  // The number of rounds since then in which warps only reached barriers.
  std::uint32_t barriers = 0;
  while (!launch.stopped) {
    const Round round = RunReady(block);
    if (launch.stopped || Ended(block)) break;
    const bool released = Release(block);
    if (!released && !round.any) ReportDeadlock(block);
    barriers = round.polled ? 0 : barriers + 1;
    if (round.worked || barriers > kBarriersOfALoop) waited = 0;
    if (round.polled && !round.worked && ++waited == patience) return false;
    if (launch.given_up != nullptr && launch.given_up->load(std::memory_order_relaxed)) break;
  }
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnBlockEnd, block);
  return true;
}

}  // namespace

void SetUpBlock(Launch& launch, Block& block) {
  const std::uint64_t threads = launch.request->block.Count();
  block.launch = &launch;
  block.shared.resize(launch.shared_bytes);
  block.warps.resize((threads + kLanes - 1) / kLanes);
  block.order.resize(block.warps.size());
  std::iota(block.order.begin(), block.order.end(), 0U);
  for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
    Warp& warp = block.warps[i];
    warp.index = i;
    warp.launch = &launch;
    warp.block = &block;
    warp.observers = launch.observers;
    warp.tracker = launch.tracker;
  }
}

void StartBlock(Block& block, const Dim3& index) {
  Launch& launch = *block.launch;
  launch.SpendBudget(1 + block.warps.size() + block.shared.size() / kBytesAnInstruction);
  block.index = index;
  block.barriers = {};
  block.barrier_trouble = false;
  block.moved = {};
  std::fill(block.shared.begin(), block.shared.end(), std::byte{0xFF});
  for (Warp& warp : block.warps) StartWarp(block, warp);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnBlockBegin, block);
}

bool RunBlock(Block& block, std::uint32_t patience) {
  const bool ended = TakeTurn(block, patience);
  NoteMoved(block);
  if (ended) block.launch->shares.Add(block.moved);
  return ended;
}

}  // namespace warpcheck::emulator
