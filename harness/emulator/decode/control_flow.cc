#include "emulator/decode/control_flow.h"

#include <utility>

#include "ptx/analysis/branches.h"

namespace warpcheck::emulator {

namespace {

std::vector<bool> FindLeaders(const ptx::Function& function) {
  std::vector<bool> leader(function.body.size() + 1, false);
  leader[0] = true;
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    if (EndingOf(function.body[i]) == Ending::kFall) continue;
    leader[i + 1] = true;
    // A call through different addresses is executed again for the remaining lanes, so that it must
    // be alone in its block.
    if (function.body[i].opcode == ptx::Opcode::kCall) leader[i] = true;
    for (const std::uint32_t target : ptx::BranchTargets(function.body[i])) leader[target] = true;
  }
  return leader;
}

std::vector<BlockId> SuccessorsOf(const ptx::Function& function, const ControlFlow& flow,
                                  const CodeBlock& block) {
  const auto end = static_cast<BlockId>(flow.blocks.size());
  if (block.ending == Ending::kFall) return {block.next};
  const ptx::Instruction& last = function.body[block.last];
  std::vector<BlockId> successors;
  for (const std::uint32_t target : ptx::BranchTargets(last)) {
    successors.push_back(flow.block_at[target]);
  }
  const bool leaves = block.ending == Ending::kRet || block.ending == Ending::kExit ||
                      block.ending == Ending::kTrap;
  if (leaves) successors.push_back(end);
  const bool falls_through =
      !leaves && block.ending != Ending::kBra && block.ending != Ending::kBrxIdx;
  if (last.guard || falls_through) successors.push_back(block.next);
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

// Returns the immediate post-dominators, which are the dominators of the reversed graph, rooted at
// the end (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"). The post-dominator of
// a block that never reaches the end, as in an endless loop, is the end.
std::vector<BlockId> PostDominators(const std::vector<std::vector<BlockId>>& successors,
                                    Preparation& preparation) {
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
      if (steps == kMostAtOnce && !preparation.Spend(std::exchange(steps, 0))) return a;
      if (rank[a] < rank[b]) {
        a = dominator[a];
      } else {
        b = dominator[b];
      }
    }
    preparation.Spend(steps);
    return a;
  };
  for (bool changed = true; changed && preparation.Spend(order.size());) {
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

}  // namespace

Ending EndingOf(const ptx::Instruction& instruction) {
  using ptx::Opcode;
  constexpr std::pair<Opcode, Ending> kEndings[] = {
      {Opcode::kBra, Ending::kBra},     {Opcode::kBrxIdx, Ending::kBrxIdx},
      {Opcode::kCall, Ending::kCall},   {Opcode::kRet, Ending::kRet},
      {Opcode::kExit, Ending::kExit},   {Opcode::kTrap, Ending::kTrap},
      {Opcode::kBar, Ending::kBarrier}, {Opcode::kBarrier, Ending::kBarrier},
  };
  for (const auto& [opcode, ending] : kEndings) {
    if (opcode == instruction.opcode) return ending;
  }
  return Ending::kFall;
}

std::uint32_t CostOf(const ptx::Instruction& instruction) {
  using ptx::Opcode;
  // A load or store that checkers watch takes about 30 ns, and costs 1; so does any instruction
  // that takes less. The other costs were measured.
  constexpr std::pair<Opcode, std::uint32_t> kDear[] = {
      {Opcode::kWmmaMma, 80},
      {Opcode::kMma, 40},
      {Opcode::kWmmaLoad, 16},
      {Opcode::kWmmaStore, 16},
      {Opcode::kTex, 20},
      {Opcode::kTld4, 20},
      {Opcode::kSuld, 8},
      {Opcode::kSust, 8},
      {Opcode::kLdmatrix, 8},
      {Opcode::kStmatrix, 8},
      {Opcode::kAtom, 4},
      {Opcode::kRed, 4},
      {Opcode::kMatch, 4},
      {Opcode::kCpAsync, 4},
      {Opcode::kMbarrierTryWait, 8},
      {Opcode::kMbarrierTestWait, 8},
      {Opcode::kMbarrierArrive, 8},
  };
  for (const auto& [opcode, cost] : kDear) {
    if (opcode == instruction.opcode) return cost;
  }
  switch (instruction.modifiers.type) {
    case ptx::Type::kF16:
    case ptx::Type::kF16x2:
    case ptx::Type::kBf16:
    case ptx::Type::kBf16x2:
      return 8;
    default:
      return 1;
  }
}

ControlFlow AnalyseControlFlow(const ptx::Function& function, Preparation& preparation) {
  ControlFlow flow;
  const std::vector<bool> leader = FindLeaders(function);
  const auto size = static_cast<std::uint32_t>(function.body.size());
  flow.block_at.resize(size + 1);
  for (std::uint32_t first = 0; first < size;) {
    std::uint32_t end = first + 1;
    while (end < size && !leader[end]) ++end;
    CodeBlock block{.first = first, .last = end, .instructions = end - first};
    block.ending = EndingOf(function.body[end - 1]);
    if (block.ending != Ending::kFall) block.last = end - 1;
    const auto id = static_cast<BlockId>(flow.blocks.size());
    block.next = id + 1;
    for (std::uint32_t i = first; i < end; ++i) {
      flow.block_at[i] = id;
      block.cost += CostOf(function.body[i]);
    }
    flow.blocks.push_back(block);
    first = end;
  }
  flow.block_at[size] = static_cast<BlockId>(flow.blocks.size());
  for (const CodeBlock& block : flow.blocks) {
    flow.successors.push_back(SuccessorsOf(function, flow, block));
  }
  const std::vector<BlockId> post_dominators = PostDominators(flow.successors, preparation);
  for (BlockId i = 0; i < flow.blocks.size(); ++i) flow.blocks[i].reconverge = post_dominators[i];
  return flow;
}

}  // namespace warpcheck::emulator
