// The basic idea: a branch decides about everything that comes before its ways meet again.
//
//       A: if (p)        The ways from A lead through B, or not. They meet at C, which every way
//        /     \         from A passes: C is the next post-dominator of A. B comes before C on
//       B       |        one of the ways, so A decides about B, and not about C.
//        \     /
//          C
//
// If a way from A leads back to A before it meets the others, A decides about itself: it is the
// branch of a loop.
#include "ptx/analysis/control_dependence.h"

#include <map>
#include <optional>
#include <set>

#include "base/record.h"
#include "ptx/analysis/branches.h"
#include "ptx/analysis/flow_graph.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::ptx {
namespace {

// Calls visit(block) for the blocks that a branch at the end of `from` decides about: from each way
// up the tree of post-dominators, until all ways meet (Ferrante, Ottenstein and Warren, "The
// Program Dependence Graph and Its Use in Optimization").
template <class Visit>
void EachDecided(const FlowGraph& graph, const std::vector<BlockId>& meets, BlockId from,
                 Visit visit) {
  for (BlockId block : graph.successors[from]) {
    for (; block < graph.blocks.size() && block != meets[from]; block = meets[block]) visit(block);
  }
}

}  // namespace

std::vector<Decision> DecisionsBefore(const Function& function, std::uint32_t instruction,
                                      WorkBudget& budget) {
  const FlowGraph graph = FlowGraphOf(function, [](const Instruction&) { return Division::kNone; });
  const std::vector<BlockId> meets = PostDominators(graph, budget);
  if (budget.spent()) return {};
  std::vector<std::vector<BlockId>> deciding(graph.blocks.size());  // by the block decided about
  std::vector<bool> of_loop(graph.blocks.size());
  for (BlockId from = 0; from < graph.blocks.size(); ++from) {
    if (graph.successors[from].size() < 2) continue;
    std::uint64_t steps = 0;
    EachDecided(graph, meets, from, [&](BlockId block) {
      ++steps;
      deciding[block].push_back(from);
      if (block == from) of_loop[from] = true;
    });
    if (!budget.Spend(steps)) return {};
  }
  std::set<BlockId> found;
  std::vector<BlockId> open = {graph.block_at[instruction]};
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    for (const BlockId from : deciding[block]) {
      if (found.insert(from).second) open.push_back(from);
    }
  }
  std::vector<Decision> decisions;
  for (const BlockId block : found) {
    decisions.push_back({.branch = graph.blocks[block].end - 1, .of_loop = of_loop[block]});
  }
  return decisions;
}

std::vector<std::uint32_t> ComparisonsOf(const Function& function, RegisterId predicate) {
  std::map<RegisterId, std::optional<std::uint32_t>> writers;  // nullopt for several
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    EachWrite(function.body[i], [&](RegisterId reg) {
      const auto [writer, first] = writers.try_emplace(reg, i);
      if (!first) writer->second.reset();
    });
  }
  std::set<std::uint32_t> comparisons;
  std::set<RegisterId> seen = {predicate};
  std::vector<RegisterId> open = {predicate};
  while (!open.empty()) {
    const auto writer = writers.find(open.back());
    open.pop_back();
    if (writer == writers.end() || !writer->second) continue;
    const Instruction& one = function.body[*writer->second];
    if (one.opcode == Opcode::kSetp) comparisons.insert(*writer->second);
    const bool joins =
        IsOneOf(one.opcode, Opcode::kAnd, Opcode::kOr, Opcode::kXor, Opcode::kNot, Opcode::kMov);
    if (!joins && one.opcode != Opcode::kSetp) continue;
    for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
      // The last operand of setp.and and setp.or is a predicate; the others are the values
      // compared.
      const bool value = one.opcode == Opcode::kSetp && i < one.destinations + std::size_t{2};
      if (value || !one.operands[i].NamesRegister()) continue;
      if (seen.insert(one.operands[i].reg).second) open.push_back(one.operands[i].reg);
    }
  }
  return {comparisons.begin(), comparisons.end()};
}

}  // namespace warpcheck::ptx
