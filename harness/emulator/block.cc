#include "emulator/block.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "emulator/events.h"
#include "emulator/isa.h"
#include "emulator/launch.h"

namespace warpcheck::emulator {
namespace {

// Basic blocks that a warp may execute before the others get their turn: so long that warps seldom
// alternate, and short enough that one which waits for another does not use up the budget.
constexpr std::uint64_t kQuantum = 100'000;

LaneMask ExistingLanes(std::uint64_t threads, std::uint32_t warp) {
  const std::uint64_t first = std::uint64_t{warp} * kLanes;
  const std::uint64_t count = std::min<std::uint64_t>(threads - first, kLanes);
  return count == kLanes ? kAllLanes : (LaneMask{1} << count) - 1;
}

std::uint64_t SpecialValue(const Warp& warp, ptx::SpecialRegister which, int lane) {
  using R = ptx::SpecialRegister;
  const Launch& launch = *warp.launch;
  const Dim3& block = launch.request->block;
  const Dim3& grid = launch.request->grid;
  const Dim3& index = warp.block->index;
  const LaneMask bit = LaneMask{1} << lane;
  switch (which) {
    case R::kTidX:
      return ThreadIndex(launch, warp, lane).x;
    case R::kTidY:
      return ThreadIndex(launch, warp, lane).y;
    case R::kTidZ:
      return ThreadIndex(launch, warp, lane).z;
    case R::kNtidX:
      return block.x;
    case R::kNtidY:
      return block.y;
    case R::kNtidZ:
      return block.z;
    case R::kCtaidX:
      return index.x;
    case R::kCtaidY:
      return index.y;
    case R::kCtaidZ:
      return index.z;
    case R::kNctaidX:
      return grid.x;
    case R::kNctaidY:
      return grid.y;
    case R::kNctaidZ:
      return grid.z;
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
    case R::kDynamicSmemSize:
      return launch.request->dynamic_shared_bytes;
    case R::kTotalSmemSize:
      return launch.shared_bytes;
    default:
      return 0;  // clocks: read by mov itself
  }
}

bool DiffersBetweenBlocks(ptx::SpecialRegister which) {
  using R = ptx::SpecialRegister;
  return which == R::kCtaidX || which == R::kCtaidY || which == R::kCtaidZ || which == R::kSmId;
}

void StartWarp(Block& block, Warp& warp) {
  const LaneMask lanes = ExistingLanes(block.launch->request->block.Count(), warp.index);
  warp.exited = ~lanes;
  warp.state = WarpState::kReady;
  warp.paths.clear();
  warp.frames.clear();
  warp.barrier = nullptr;
  warp.carry = 0;
  EnterFunction(warp, block.launch->kernel->entry(), lanes, nullptr);
}

// Runs every warp that is ready, once; false if there is none.
bool RunReady(Block& block) {
  Launch& launch = *block.launch;
  bool any = false;
  for (const std::uint32_t i : block.order) {
    Warp& warp = block.warps[i];
    if (warp.state != WarpState::kReady) continue;
    any = true;
    launch.isa->run(warp, kQuantum);
    if (launch.stopped) return true;
    if (warp.state == WarpState::kAtBarrier) Arrive(block, warp);
    if (launch.stopped) return true;
  }
  return any;
}

}  // namespace

Dim3 ThreadIndex(const Launch& launch, const Warp& warp, int lane) {
  const Dim3& block = launch.request->block;
  const std::uint32_t linear = warp.index * kLanes + static_cast<std::uint32_t>(lane);
  return {.x = linear % block.x, .y = linear / block.x % block.y, .z = linear / block.x / block.y};
}

namespace {

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

}  // namespace

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
    warp.initialisation = launch.initialisation;
  }
}

void RunBlock(Block& block, const Dim3& index) {
  Launch& launch = *block.launch;
  block.index = index;
  block.barriers = {};
  block.barrier_trouble = false;
  std::fill(block.shared.begin(), block.shared.end(), std::byte{0xFF});
  for (Warp& warp : block.warps) StartWarp(block, warp);
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnBlockBegin, block);
  while (!launch.stopped) {
    const bool ran = RunReady(block);
    if (launch.stopped) break;
    const bool done = std::all_of(block.warps.begin(), block.warps.end(),
                                  [](const Warp& warp) { return warp.state == WarpState::kDone; });
    if (done) break;
    if (!Release(block) && !ran) ReportDeadlock(block);
  }
  if (launch.observers != nullptr) Tell(*launch.observers, &Observer::OnBlockEnd, block);
}

}  // namespace warpcheck::emulator
