// Sets the special registers of a warp (PTX ISA, "Special Registers").
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Fills in the special registers of a frame. With `block_only`, fills in only those that differ
// between blocks.
void FillSpecials(const Warp& warp, const Program& program, std::byte* frame, bool block_only);

}  // namespace warpcheck::emulator
