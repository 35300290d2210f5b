// Runs a block, warp by warp.
#pragma once

#include <cstdint>

#include "emulator/core/block.h"

namespace warpcheck::emulator {

// SetUpBlock prepares a new `block` for the launch. StartBlock then starts it with the number
// `index`, and may start it again after it has ended.
void SetUpBlock(Launch& launch, Block& block);
void StartBlock(Block& block, const Dim3& index);

// Says why a turn of a block ended. Unless it is kEnded, the block may continue later.
enum class TurnEnd : std::uint8_t {
  kEnded,     // the block ended, or the launch is stopped
  kWaits,     // its warps have only waited in loops for `patience` rounds
  kGivesWay,  // it has drawn, and lets other blocks draw before it draws again
};
// Gives the block a turn.
TurnEnd RunBlock(Block& block, std::uint32_t patience);

}  // namespace warpcheck::emulator
