#include "ptx/analysis/flow_graph.h"

#include <utility>

#include "ptx/analysis/branches.h"

namespace warpcheck::ptx {
namespace {

std::vector<bool> FindLeaders(const Function& function, Division (*divides)(const Instruction&)) {
  std::vector<bool> leader(function.body.size() + 1, false);
  leader[0] = true;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const Instruction& instruction = function.body[i];
    const Division division = divides(instruction);
    if (division == Division::kNone && !LeavesHere(instruction.opcode)) continue;
    leader[i + 1] = true;
    if (division == Division::kAlone) leader[i] = true;
    for (const std::uint32_t target : BranchTargets(instruction)) leader[target] = true;
  }
  return leader;
}

std::vector<BlockId> SuccessorsOf(const Function& function, const FlowGraph& graph, BlockId block) {
  const Instruction& last = function.body[graph.blocks[block].end - 1];
  const bool leaves = LeavesHere(last.opcode);
  std::vector<BlockId> successors;
  if (leaves) {
    for (const std::uint32_t target : BranchTargets(last)) {
      successors.push_back(graph.block_at[target]);
    }
    if (!IsBranch(last.opcode)) successors.push_back(static_cast<BlockId>(graph.blocks.size()));
  }
  if (!leaves || last.guard) successors.push_back(block + 1);
  return successors;
}

// Returns the blocks in post-order: apart from loops, a block comes after its successors.
std::vector<BlockId> PostOrder(const std::vector<std::vector<BlockId>>& edges, BlockId root) {
  std::vector<BlockId> order;
  std::vector<std::uint8_t> seen(edges.size(), 0);
  std::vector<std::pair<BlockId, std::size_t>> path{{root, 0}};
  seen[root] = 1;
  while (!path.empty()) {
    auto& [block, next] = path.back();
    if (next == edges[block].size()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    const BlockId to = edges[block][next++];
    if (seen[to] != 0) continue;
    seen[to] = 1;
    path.emplace_back(to, 0);
  }
  return order;
}

}  // namespace

FlowGraph FlowGraphOf(const Function& function, Division (*divides)(const Instruction&)) {
  FlowGraph graph;
  const std::vector<bool> leader = FindLeaders(function, divides);
  const auto size = static_cast<std::uint32_t>(function.body.size());
  graph.block_at.resize(size + 1);
  for (std::uint32_t begin = 0; begin < size;) {
    std::uint32_t end = begin + 1;
    while (end < size && !leader[end]) ++end;
    const auto id = static_cast<BlockId>(graph.blocks.size());
    for (std::uint32_t i = begin; i < end; ++i) graph.block_at[i] = id;
    graph.blocks.push_back({begin, end});
    begin = end;
  }
  graph.block_at[size] = static_cast<BlockId>(graph.blocks.size());
  for (BlockId block = 0; block < graph.blocks.size(); ++block) {
    graph.successors.push_back(SuccessorsOf(function, graph, block));
  }
  return graph;
}

// These are the dominators of the reversed graph, rooted at the end (Cooper, Harvey and Kennedy, "A
// Simple, Fast Dominance Algorithm").
std::vector<BlockId> PostDominators(const FlowGraph& graph, WorkBudget& budget) {
  const std::vector<std::vector<BlockId>>& successors = graph.successors;
  const auto end = static_cast<BlockId>(successors.size());
  std::vector<std::vector<BlockId>> predecessors(end + 1);
  for (BlockId from = 0; from < end; ++from) {
    for (const BlockId to : successors[from]) predecessors[to].push_back(from);
  }
  const std::vector<BlockId> order = PostOrder(predecessors, end);
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> rank(end + 1, kNone);
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<BlockId> dominator(end + 1, kNone);
  dominator[end] = end;
  // A hostile module spends all of its time here. So steps are paid for in large groups, and the
  // blocks are passed by value, to stay in registers.
  const auto meet = [&](BlockId a, BlockId b) {
    constexpr std::uint64_t kMostAtOnce = 4096;
    std::uint64_t steps = 0;
    for (; a != b; ++steps) {
      if (steps == kMostAtOnce && !budget.Spend(std::exchange(steps, 0))) return a;
      if (rank[a] < rank[b]) {
        a = dominator[a];
      } else {
        b = dominator[b];
      }
    }
    budget.Spend(steps);
    return a;
  };
  for (bool changed = true; changed && budget.Spend(order.size());) {
    changed = false;
    for (auto block = order.rbegin(); block != order.rend(); ++block) {
      if (*block == end) continue;
      BlockId merged = kNone;
      for (const BlockId to : successors[*block]) {
        if (rank[to] == kNone || dominator[to] == kNone) continue;
        merged = merged == kNone ? to : meet(to, merged);
      }
      if (merged != dominator[*block]) {
        dominator[*block] = merged;
        changed = true;
      }
    }
  }
  for (BlockId& block : dominator) {
    if (block == kNone) block = end;
  }
  return dominator;
}

}  // namespace warpcheck::ptx
