#include "experiments/barriers.h"

#include "base/record.h"
#include "ptx/analysis/flow_graph.h"

namespace warpcheck::experiments {
namespace {

using ptx::Opcode;

constexpr std::uint64_t kSteps = 1'000'000;  // for one access; see WorkBudget

bool IsAccess(const ptx::Instruction& one) {
  if (IsOneOf(one.opcode, Opcode::kAtom, Opcode::kRed)) return true;
  return IsOneOf(one.opcode, Opcode::kLd, Opcode::kSt) &&
         !IsOneOf(one.modifiers.space, ptx::Space::kParam, ptx::Space::kLocal, ptx::Space::kConst);
}

// Returns whether the same line accesses memory again before control goes elsewhere.
bool AccessesAgain(const ptx::Function& function, std::uint32_t at, std::uint32_t end) {
  for (std::uint32_t later = at + 1; later < end; ++later) {
    const ptx::Instruction& one = function.body[later];
    if (one.location == function.body[at].location && IsAccess(one)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint32_t> BarrierPlaces(const ptx::Function& function, std::uint32_t at) {
  if (!IsAccess(function.body[at])) return {};
  const ptx::FlowGraph graph =
      ptx::FlowGraphOf(function, [](const ptx::Instruction&) { return ptx::Division::kNone; });
  if (AccessesAgain(function, at, graph.blocks[graph.block_at[at]].end)) return {};
  std::vector<std::uint32_t> places = {at + 1};
  ptx::WorkBudget budget(kSteps);
  const std::vector<ptx::BlockId> meets = ptx::PostDominators(graph, budget);
  ptx::BlockId block = graph.block_at[at];
  for (int outwards = 0; outwards < 3 && meets[block] < graph.blocks.size(); ++outwards) {
    block = meets[block];
    if (graph.blocks[block].begin > at) places.push_back(graph.blocks[block].begin);
  }
  return places;
}

ptx::Instruction BarrierLike(const ptx::Instruction& after) {
  ptx::Instruction barrier;
  barrier.opcode = Opcode::kBar;
  barrier.modifiers.sync = true;
  ptx::Operand first;
  first.kind = ptx::OperandKind::kImmediate;
  barrier.operands = {first};
  barrier.location = after.location;
  barrier.ptx_line = after.ptx_line;
  return barrier;
}

}  // namespace warpcheck::experiments
