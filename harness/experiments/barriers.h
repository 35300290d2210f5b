// Finds where a barrier of the block may be put.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::experiments {

// Returns the instructions before which a barrier may be put, so that it comes after the access at
// `at`. The first is the next instruction. The others are later ones where the ways meet again on
// which only some threads reach the access. The result is empty if `at` does not access memory that
// threads share, or if its line accesses such memory again further down.
std::vector<std::uint32_t> BarrierPlaces(const ptx::Function& function, std::uint32_t at);

// Returns a barrier of all threads of the block, in the place of `after`.
ptx::Instruction BarrierLike(const ptx::Instruction& after);

}  // namespace warpcheck::experiments
