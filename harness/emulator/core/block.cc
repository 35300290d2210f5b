#include "emulator/core/block.h"

#include <algorithm>
#include <numeric>

#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/subwarps.h"

namespace warpcheck::emulator {
namespace {

LaneMask ExistingLanes(std::uint64_t threads, std::uint32_t warp) {
  const std::uint64_t first = std::uint64_t{warp} * kLanes;
  const std::uint64_t count = std::min<std::uint64_t>(threads - first, kLanes);
  return count == kLanes ? kAllLanes : (LaneMask{1} << count) - 1;
}

// One of three registers, of which `x` is the first.
std::uint64_t Axis(const Dim3& three, ptx::SpecialRegister which, ptx::SpecialRegister x) {
  const int number = static_cast<int>(which) - static_cast<int>(x);
  return number == 0 ? three.x : number == 1 ? three.y : three.z;
}

std::uint64_t SpecialValue(const Warp& warp, ptx::SpecialRegister which, int lane) {
  using R = ptx::SpecialRegister;
  const Launch& launch = *warp.launch;
  const Dim3& grid = launch.request->grid;
  const Dim3& index = warp.block->index;
  const LaneMask bit = LaneMask{1} << lane;
  switch (which) {
    case R::kTidX:
    case R::kTidY:
    case R::kTidZ:
      return Axis(ThreadIndex(launch, warp, lane), which, R::kTidX);
    case R::kNtidX:
    case R::kNtidY:
    case R::kNtidZ:
      return Axis(launch.request->block, which, R::kNtidX);
    case R::kCtaidX:
    case R::kCtaidY:
    case R::kCtaidZ:
      return Axis(index, which, R::kCtaidX);
    case R::kNctaidX:
    case R::kNctaidY:
    case R::kNctaidZ:
      return Axis(grid, which, R::kNctaidX);
    case R::kLaneId:
      return static_cast<unsigned>(lane);
    case R::kWarpId:
      return warp.index;
    case R::kNwarpId:
      return warp.block->warps.size();
    case R::kSmId:
      return (index.x + std::uint64_t{grid.x} * (index.y + std::uint64_t{grid.y} * index.z)) %
             launch.hardware->properties.multiprocessors;
    case R::kNsmId:
      return launch.hardware->properties.multiprocessors;
    case R::kGridId:
      return launch.grid_id;
    case R::kLanemaskEq:
      return bit;
    case R::kLanemaskLe:
      return bit | (bit - 1);
    case R::kLanemaskLt:
      return bit - 1;
    case R::kLanemaskGe:
      return static_cast<LaneMask>(~(bit - 1));
    case R::kLanemaskGt:
      return static_cast<LaneMask>(~(bit | (bit - 1)));
    // Every block is a cluster of its own.
    case R::kClusterIdX:
    case R::kClusterIdY:
    case R::kClusterIdZ:
      return Axis(index, which, R::kClusterIdX);
    case R::kNclusterIdX:
    case R::kNclusterIdY:
    case R::kNclusterIdZ:
      return Axis(grid, which, R::kNclusterIdX);
    case R::kClusterNctaIdX:
    case R::kClusterNctaIdY:
    case R::kClusterNctaIdZ:
    case R::kClusterNctaRank:
      return 1;
    case R::kDynamicSmemSize:
      return static_cast<std::uint32_t>(launch.request->dynamic_shared_bytes);
    case R::kTotalSmemSize:
      return launch.shared_bytes;
    case R::kEnvreg1:
      return launch.grid_workspace >> 32;
    case R::kEnvreg2:
      return static_cast<std::uint32_t>(launch.grid_workspace);
    default:
      return 0;  // clocks: read by mov itself
  }
}

bool DiffersBetweenBlocks(ptx::SpecialRegister which) {
  using R = ptx::SpecialRegister;
  return which == R::kCtaidX || which == R::kCtaidY || which == R::kCtaidZ || which == R::kSmId ||
         (which >= R::kClusterIdX && which <= R::kClusterIdZ);
}

template <class T>
void FillSpecial(const Warp& warp, const Program::Special& special, std::byte* frame) {
  T* to = Lanes<T>(frame, special.slot);
  if (DiffersBetweenBlocks(special.which)) {
    std::fill_n(to, kLanes, static_cast<T>(SpecialValue(warp, special.which, 0)));
    return;
  }
  for (int lane = 0; lane < kLanes; ++lane) {
    to[lane] = static_cast<T>(SpecialValue(warp, special.which, lane));
  }
}

void StartWarp(Block& block, Warp& warp) {
  const LaneMask lanes = ExistingLanes(block.launch->request->block.Count(), warp.index);
  warp.exited = ~lanes;
  warp.state = WarpState::kReady;
  warp.paths.clear();
  warp.frames.clear();
  warp.parked.clear();
  warp.resume = 0;
  warp.spins = 0;
  warp.barrier = nullptr;
  warp.carry = 0;
  EnterFunction(warp, block.launch->kernel->entry(), lanes, nullptr);
}

// What the warps that were ready did.
struct Round {
  bool any = false;     // there were such
  bool polled = false;  // one went round a loop that waits
  bool worked = false;  // one did something else than that, or than to come to a barrier
};

// Rounds in which warps do no more than to come to barriers, between two in which they poll: of one
// loop that waits.
constexpr std::uint32_t kBarriersOfALoop = 8;

// Runs every warp that is ready, once.
Round RunReady(Block& block) {
  Launch& launch = *block.launch;
  Round round;
  for (const std::uint32_t i : block.order) {
    Warp& warp = block.warps[i];
    if (warp.state != WarpState::kReady && warp.state != WarpState::kSpun) continue;
    RunWarp(warp);
    if (launch.stopped) return round;
    const bool polled = warp.state == WarpState::kSpun;
    const bool at_barrier = warp.state == WarpState::kAtBarrier;
    round.any = true;
    round.polled = round.polled || polled;
    round.worked = round.worked || (!polled && !at_barrier);
    if (at_barrier) Arrive(block, warp);
    if (launch.stopped) return round;
  }
  return round;
}

bool Ended(const Block& block) {
  return std::ranges::all_of(block.warps,
                             [](const Warp& warp) { return warp.state == WarpState::kDone; });
}

}  // namespace

Dim3 ThreadIndex(const Launch& launch, const Warp& warp, int lane) {
  return PositionIn(launch.request->block, warp.index * kLanes + static_cast<std::uint32_t>(lane));
}

void FillSpecials(const Warp& warp, const Program& program, std::byte* frame, bool block_only) {
  for (const Program::Special& special : program.specials) {
    if (block_only && !DiffersBetweenBlocks(special.which)) continue;
    switch (special.bytes) {
      case 2:
        FillSpecial<std::uint16_t>(warp, special, frame);
        break;
      case 4:
        FillSpecial<std::uint32_t>(warp, special, frame);
        break;
      case 8:
        FillSpecial<std::uint64_t>(warp, special, frame);
        break;
      default:
        break;
    }
  }
}

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
  launch.Charge(1 + block.warps.size() + block.shared.size() / kBytesAnInstruction);
  block.index = index;
  block.barriers = {};
  block.barrier_trouble = false;
  std::fill(block.shared.begin(), block.shared.end(), std::byte{0xFF});
  for (Warp& warp : block.warps) StartWarp(block, warp);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnBlockBegin, block);
}

bool RunBlock(Block& block, std::uint32_t patience) {
  const Launch& launch = *block.launch;
  std::uint32_t waited = 0;    // rounds of polls
  std::uint32_t barriers = 0;  // rounds of barriers alone since the last of them
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

}  // namespace warpcheck::emulator
