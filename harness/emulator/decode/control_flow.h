// Finds the blocks of a function that the emulator runs, and where the lanes of a warp meet again.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/decode/preparation.h"
#include "ptx/analysis/flow_graph.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct ControlFlow {
  ptx::FlowGraph graph;
  std::vector<CodeBlock> blocks{};  // the blocks of the graph, with `reconverge` filled in
};

// Returns what an instruction takes from the budget, in warp instructions: one, or more if it takes
// as much time as several.
std::uint32_t CostOf(const ptx::Instruction& instruction);

// Returns the graph of a function. The result has no meaning once `preparation` is exhausted.
ControlFlow AnalyseControlFlow(const ptx::Function& function, Preparation& preparation);

Ending EndingOf(const ptx::Instruction& instruction);

}  // namespace warpcheck::emulator
