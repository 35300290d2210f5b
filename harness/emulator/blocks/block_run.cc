#include "emulator/blocks/block_run.h"

#include <algorithm>
#include <numeric>

#include "emulator/blocks/barrier.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/stop_request.h"
#include "emulator/record/findings.h"
#include "emulator/record/overhead.h"
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

// Runs every ready warp once. If one draws, the next round begins with the warp behind it, so that
// the warps draw in turns.
Round RunReady(Block& block) {
  Launch& launch = *block.launch;
  Round round;
  const auto warps = static_cast<std::uint32_t>(block.order.size());
  const std::uint32_t first = block.first_warp;
  for (std::uint32_t k = 0; k < warps; ++k) {
    const std::uint32_t place = first + k < warps ? first + k : first + k - warps;
    Warp& warp = block.warps[block.order[place]];
    if (warp.running.state != WarpState::kReady && warp.running.state != WarpState::kSpun) continue;
    const bool drew = block.drew;
    const std::uint64_t before = *launch.budget;
    RunWarp(warp);
    if (IsAskedToStop()) [[unlikely]]
      ReportInterrupted(warp);
    if (launch.stopped) return round;
    *launch.budget += launch.waits.GivenBack(warp, before - *launch.budget);
    if (block.drew && !drew) block.first_warp = place + 1 < warps ? place + 1 : 0;
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

// The cost of starting and ending a block, and each of its warps, in warp instructions.
constexpr std::uint64_t kBlockCost = 40;
constexpr std::uint64_t kWarpCost = 8;

bool Ended(const Block& block) {
  return std::ranges::all_of(
      block.warps, [](const Warp& warp) { return warp.running.state == WarpState::kDone; });
}

// Runs the block as RunBlock does, without adding up what it moves.
TurnEnd TakeTurn(Block& block, std::uint32_t patience) {
  const Launch& launch = *block.launch;
  block.drew = block.gives_way = false;
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
    if (round.polled && !round.worked && ++waited == patience) {
      if (!block.drew) return TurnEnd::kWaits;
      block.gives_way = true;  // the loop draws, or the block has not waited for long
    }
    if (block.gives_way) return TurnEnd::kGivesWay;
    if (launch.given_up != nullptr && launch.given_up->load(std::memory_order_relaxed)) break;
  }
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnBlockEnd, block);
  return TurnEnd::kEnded;
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
  SpendOverhead(launch, kBlockCost + kWarpCost * block.warps.size());
  block.index = index;
  block.barriers = {};
  block.barrier_trouble = false;
  block.moved = 0;
  block.first_warp = 0;
  block.phases.Clear();
  std::fill(block.shared.begin(), block.shared.end(), std::byte{0xFF});
  for (Warp& warp : block.warps) StartWarp(block, warp);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnBlockBegin, block);
}

TurnEnd RunBlock(Block& block, std::uint32_t patience) {
  Launch& launch = *block.launch;
  const std::uint64_t moved = launch.moved;
  const TurnEnd end = TakeTurn(block, patience);
  if (end == TurnEnd::kEnded) block.phases.Finish();
  block.moved += launch.moved - moved;
  if (end == TurnEnd::kEnded) launch.shares.Add(block.moved);
  return end;
}

}  // namespace warpcheck::emulator
