// A Block is a block of threads while it runs.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "device/types.h"
#include "emulator/core/mbarrier_phases.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

inline constexpr std::size_t kBarriers = 16;  // the number of barriers (PTX ISA, "bar")

struct BarrierState {
  std::uint32_t waiting = 0;        // the number of warps that wait
  std::uint32_t arrived = 0;        // the number of warps that executed bar.arrive and continued
  std::uint32_t arrived_warps = 0;  // these warps, one bit each
  // The number of expected threads; 0 for all threads of the block.
  std::uint32_t threads = 0;
};

struct Block {
  Launch* launch = nullptr;
  Dim3 index;  // the blockIdx of the block
  std::vector<std::byte> shared;
  std::vector<Warp> warps;           // warps by their index
  std::vector<std::uint32_t> order;  // the order in which the warps run
  std::array<BarrierState, kBarriers> barriers = {};
  bool barrier_trouble = false;  // true if there was a finding about barriers in this block
  std::uint64_t moved = 0;       // bytes that it loaded, stored and updated in global memory
  // The index in `order` of the warp that begins the next round.
  std::uint32_t first_warp = 0;
  // True if a warp of the block has drawn in this turn: an atomic gave it a value of global memory
  // and changed this value, so that no other thread gets it.
  bool drew = false;
  // True if a warp has come to an atomic that may draw again. The block then gives way to others.
  bool gives_way = false;
  MbarrierPhases phases;
};

// Returns the position of thread (or block) `number` in a block (or grid) of size `size`.
Dim3 PositionIn(const Dim3& size, std::unsigned_integral auto number) {
  return {.x = static_cast<std::uint32_t>(number % size.x),
          .y = static_cast<std::uint32_t>(number / size.x % size.y),
          .z = static_cast<std::uint32_t>(number / size.x / size.y)};
}

// Returns the threadIdx of a lane.
Dim3 ThreadIndex(const Launch& launch, const Warp& warp, int lane);

}  // namespace warpcheck::emulator
