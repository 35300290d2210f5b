#include "experiments/barriers.h"

#include <algorithm>

#include "base/record.h"

namespace warpcheck::experiments {
namespace {

using ptx::Opcode;

constexpr std::uint64_t kSteps = 1'000'000;  // for one function; see WorkBudget

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

std::vector<std::uint32_t> BarrierPlaces::After(std::uint32_t at) {
  if (!IsAccess(function_.body[at]) || AccessesAgain(function_, at)) return {};
  if (!graph_) {
    graph_ =
        ptx::FlowGraphOf(function_, [](const ptx::Instruction&) { return ptx::Division::kNone; });
    ptx::WorkBudget budget(kSteps);
    meets_ = ptx::PostDominators(*graph_, budget);
    const auto the_end = static_cast<ptx::BlockId>(graph_->blocks.size());
    if (budget.spent()) meets_.assign(graph_->blocks.size(), the_end);
  }
  std::vector<std::uint32_t> places = {at + 1};
  ptx::BlockId block = graph_->block_at[at];
  for (int outwards = 0; outwards < 3 && meets_[block] < graph_->blocks.size(); ++outwards) {
    block = meets_[block];
    if (graph_->blocks[block].begin > at) places.push_back(graph_->blocks[block].begin);
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
