#include "emulator/decode/control_flow.h"

#include <utility>

namespace warpcheck::emulator {

namespace {

ptx::Division DivisionBy(const ptx::Instruction& instruction) {
  // A call through different addresses is executed again for the remaining lanes, so that it must
  // be alone in its block.
  if (instruction.opcode == ptx::Opcode::kCall) return ptx::Division::kAlone;
  return EndingOf(instruction) == Ending::kFall ? ptx::Division::kNone : ptx::Division::kAfter;
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
  // A load or store that checkers watch takes about 30 ns, and costs 1. Any instruction that takes
  // less costs 1 too. The other costs were measured.
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
  ControlFlow flow{.graph = ptx::FlowGraphOf(function, &DivisionBy)};
  const std::vector<BlockId> meet_again = ptx::PostDominators(flow.graph, preparation);
  for (BlockId id = 0; id < flow.graph.blocks.size(); ++id) {
    const auto [begin, end] = flow.graph.blocks[id];
    CodeBlock block{.first = begin, .last = end, .instructions = end - begin};
    block.ending = EndingOf(function.body[end - 1]);
    if (block.ending != Ending::kFall) block.last = end - 1;
    block.next = id + 1;
    block.reconverge = meet_again[id];
    for (std::uint32_t i = begin; i < end; ++i) block.cost += CostOf(function.body[i]);
    flow.blocks.push_back(block);
  }
  return flow;
}

}  // namespace warpcheck::emulator
