// Finds where the registers of a function are live.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/flow_graph.h"
#include "ptx/analysis/work_budget.h"
#include "ptx/module.h"

namespace warpcheck::ptx {

struct Liveness {
  std::vector<std::uint8_t> read;  // by register, not 0 if anything reads it
  std::vector<RegisterId>
      at_entry;  // registers that are read before they are written, on some path
  std::uint32_t most_live_words = 0;  // the most 32-bit registers live at once, without predicates
};

// Returns the result for a function. It is meaningless once `budget` is spent.
Liveness AnalyseLiveness(const Function& function, const FlowGraph& graph, WorkBudget& budget);

}  // namespace warpcheck::ptx
