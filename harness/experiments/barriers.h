// Finds where a barrier of the block may be put.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/analysis/flow_graph.h"
#include "ptx/module.h"

namespace warpcheck::experiments {

class BarrierPlaces {
 public:
  // `function` must outlive this object.
  explicit BarrierPlaces(const ptx::Function& function) : function_(function) {}

  // Returns the instructions before which a barrier may be put, so that it comes after the access
  // at `at`. The first is the next instruction. The others are later ones where the ways meet again
  // on which only some threads reach the access. The result is empty if `at` does not access memory
  // that threads share, or if its line accesses such memory again further down.
  std::vector<std::uint32_t> After(std::uint32_t at);

 private:
  const ptx::Function& function_;
  // The flow graph, and where the ways from each of its blocks meet again; made when first needed.
  std::optional<ptx::FlowGraph> graph_;
  std::vector<ptx::BlockId> meets_;
};

// Returns a barrier of all threads of the block, in the place of `after`.
ptx::Instruction BarrierLike(const ptx::Instruction& after);

}  // namespace warpcheck::experiments
