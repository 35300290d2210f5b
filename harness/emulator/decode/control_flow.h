// The control-flow graph of a function.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/decode/preparation.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct ControlFlow {
  std::vector<CodeBlock> blocks;                 // with `reconverge` filled in
  std::vector<BlockId> block_at;                 // by instruction, and one past the last
  std::vector<std::vector<BlockId>> successors;  // by block; blocks.size() is the end
};

// Returns what an instruction takes from the budget, in warp instructions: one, or more if it takes
// the time of several.
std::uint32_t CostOf(const ptx::Instruction& instruction);

// Returns the graph of a function. It is meaningless once `preparation` is exhausted.
ControlFlow AnalyseControlFlow(const ptx::Function& function, Preparation& preparation);

Ending EndingOf(const ptx::Instruction& instruction);

}  // namespace warpcheck::emulator
