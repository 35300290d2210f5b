// Runs a block, warp by warp.
#pragma once

#include <cstdint>

#include "emulator/core/block.h"

namespace warpcheck::emulator {

// Prepares `block` for the first time; then starts it as the block at `index`.
void SetUpBlock(Launch& launch, Block& block);
void StartBlock(Block& block, const Dim3& index);
// Runs it until it ends (or the launch is stopped), or all that it does for `patience` rounds of
// its warps is to wait in loops: then false, and it may go on later.
bool RunBlock(Block& block, std::uint32_t patience);

}  // namespace warpcheck::emulator
