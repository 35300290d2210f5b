// The control-flow graph of a function.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/preparation.h"
#include "emulator/code/program.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct ControlFlow {
  std::vector<CodeBlock> blocks;                 // `reconverge` filled in
  std::vector<BlockId> block_at;                 // of each instruction, and of one past the last
  std::vector<std::vector<BlockId>> successors;  // of each block; blocks.size() is the end
};

// Of no use where `preparation` is spent.
ControlFlow AnalyseControlFlow(const ptx::Function& function, Preparation& preparation);

// The targets of a branch: instructions, or one past the last.
std::vector<std::uint32_t> BranchTargets(const ptx::Instruction& instruction);
Ending EndingOf(const ptx::Instruction& instruction);

}  // namespace warpcheck::emulator
