// A block of threads while it runs.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "device/types.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {

inline constexpr std::size_t kBarriers = 16;  // PTX ISA, "bar"

struct BarrierState {
  std::uint32_t waiting = 0;        // warps
  std::uint32_t arrived = 0;        // warps that came by bar.arrive and went on
  std::uint32_t arrived_warps = 0;  // the same, a bit each
  std::uint32_t threads = 0;        // expected; 0: all of the block
};

struct Block {
  Launch* launch = nullptr;
  Dim3 index;  // blockIdx
  std::vector<std::byte> shared;
  std::vector<Warp> warps;           // by index
  std::vector<std::uint32_t> order;  // in which they run
  std::array<BarrierState, kBarriers> barriers = {};
  bool barrier_trouble = false;  // a finding about barriers was made in this block
};

// The barriers of a block (barrier.cc). Arrive: the warp has come to one, where it waits unless it
// only announces itself. Release: lets those go on for whom everybody is there; false if there are
// none. ReportDeadlock: warps wait, and nobody will come.
void Arrive(Block& block, Warp& warp);
bool Release(Block& block);
void ReportDeadlock(Block& block);

// Prepares `block` for the first time; then starts it as the block at `index`.
void SetUpBlock(Launch& launch, Block& block);
void StartBlock(Block& block, const Dim3& index);
// Runs it until it ends (or the launch is stopped), or all that it does for `patience` rounds of
// its warps is to wait in loops: then false, and it may go on later.
bool RunBlock(Block& block, std::uint32_t patience);

// Of the thread or block with that number, where `size` has all of them.
Dim3 PositionIn(const Dim3& size, std::unsigned_integral auto number) {
  return {.x = static_cast<std::uint32_t>(number % size.x),
          .y = static_cast<std::uint32_t>(number / size.x % size.y),
          .z = static_cast<std::uint32_t>(number / size.x / size.y)};
}

// The threadIdx of a lane.
Dim3 ThreadIndex(const Launch& launch, const Warp& warp, int lane);

// Fills in the frame's special registers; with `block_only` those that differ between blocks.
void FillSpecials(const Warp& warp, const Program& program, std::byte* frame, bool block_only);

}  // namespace warpcheck::emulator
