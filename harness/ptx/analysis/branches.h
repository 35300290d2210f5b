// These functions say where control goes after an instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::ptx {

// Returns the targets of a branch as indices of instructions. An index may be one past the last.
std::vector<std::uint32_t> BranchTargets(const Instruction& instruction);

// True for an instruction that goes on at one of its labels.
bool IsBranch(Opcode opcode);

// True for an instruction after which, if its guard holds, control never goes on with the next one:
// a branch, a return, an exit or a trap.
bool LeavesHere(Opcode opcode);

}  // namespace warpcheck::ptx
