// The flow graph of a function says in which blocks instructions are executed one after the other,
// and where control goes after each block.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/work_budget.h"
#include "ptx/module.h"

namespace warpcheck::ptx {

using BlockId = std::uint32_t;

struct FlowGraph {
  // The instructions [begin, end) of the function.
  struct Block {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  std::vector<Block> blocks;
  std::vector<BlockId> block_at;                 // by instruction, and one past the last
  std::vector<std::vector<BlockId>> successors;  // by block; blocks.size() is the end
};

// Says whether an instruction other than a branch ends its basic block.
enum class Division : std::uint8_t {
  kNone,
  kAfter,  // it is the last of its block
  kAlone,  // it has a block of its own
};

// Returns the graph of a function. A block begins at the target of a branch, and ends with an
// instruction after which control may not go on with the next one, or with one that `divides`.
FlowGraph FlowGraphOf(const Function& function, Division (*divides)(const Instruction&));

// Returns the immediate post-dominator of each block, where all ways from it meet again; the end
// for a block that never reaches the end, as in an endless loop. The result is meaningless once
// `budget` is spent.
std::vector<BlockId> PostDominators(const FlowGraph& graph, WorkBudget& budget);

}  // namespace warpcheck::ptx
