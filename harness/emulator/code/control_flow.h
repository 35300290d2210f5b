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
// What an instruction takes from the budget of warp instructions: one, and more where it takes the
// time of several.
std::uint32_t CostOf(const ptx::Instruction& instruction);

ControlFlow AnalyseControlFlow(const ptx::Function& function, Preparation& preparation);

// The targets of a branch: instructions, or one past the last.
std::vector<std::uint32_t> BranchTargets(const ptx::Instruction& instruction);
Ending EndingOf(const ptx::Instruction& instruction);

// Loops in which a thread waits for another: a lock, a flag, the barrier of a grid.

// Gives the branches that close such loops the ending kSpin, so that a warp which goes round lets
// others run. A loop is taken for one that waits if it contains a load that is volatile, relaxed or
// acquiring, an atomic cas or exch, an atomic that changes nothing (adds an immediate 0), a test of
// an mbarrier, or a load and a fence. To be wrong costs time and no results.
void MarkSpinLoops(const ptx::Function& function, const std::vector<BlockId>& block_at,
                   std::vector<CodeBlock>& blocks);

}  // namespace warpcheck::emulator
