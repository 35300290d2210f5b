#include "emulator/core/special_registers.h"

#include <algorithm>

#include "emulator/core/block.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {
namespace {

// Returns a component of `three`: `which` is one of three registers, and `x` the first of them.
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
    // Every block is a cluster by itself.
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
      return 0;  // these are clocks, which mov itself reads
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

}  // namespace warpcheck::emulator
