#include "experiments/barriers.h"

#include <algorithm>

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

// Returns whether the same line accesses memory again further down.
bool AccessesAgain(const ptx::Function& function, std::uint32_t at) {
  const ptx::LocationId line = function.body[at].location;
  return std::any_of(
      function.body.begin() + at + 1, function.body.end(),
      [&](const ptx::Instruction& one) { return one.location == line && IsAccess(one); });
}

}  // namespace

std::vector<std::uint32_t> BarrierPlaces(const ptx::Function& function, std::uint32_t at) {
  if (!IsAccess(function.body[at]) || AccessesAgain(function, at)) return {};
  const ptx::FlowGraph graph =
      ptx::FlowGraphOf(function, [](const ptx::Instruction&) { return ptx::Division::kNone; });
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
