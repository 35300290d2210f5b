// Runs a block, warp by warp.
#pragma once

#include <cstdint>

#include "emulator/core/block.h"

namespace warpcheck::emulator {

// SetUpBlock prepares a new `block` for the launch. StartBlock then starts it with the number
// `index`, and may start it again after it has ended.
void SetUpBlock(Launch& launch, Block& block);
void StartBlock(Block& block, const Dim3& index);
// Runs the block until it ends or the launch is stopped, and returns true. Returns false if its
// warps have only waited in loops for `patience` rounds; the block may then continue later.
bool RunBlock(Block& block, std::uint32_t patience);

}  // namespace warpcheck::emulator
