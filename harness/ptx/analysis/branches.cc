#include "ptx/analysis/branches.h"

#include "base/record.h"

namespace warpcheck::ptx {
namespace {

void CollectTargets(const Operand& operand, std::vector<std::uint32_t>& targets) {
  if (operand.kind == OperandKind::kLabel) targets.push_back(operand.target);
  for (const Operand& element : operand.elements) CollectTargets(element, targets);
}

}  // namespace

std::vector<std::uint32_t> BranchTargets(const Instruction& instruction) {
  std::vector<std::uint32_t> targets;
  for (const Operand& operand : instruction.operands) CollectTargets(operand, targets);
  return targets;
}

bool IsBranch(Opcode opcode) { return IsOneOf(opcode, Opcode::kBra, Opcode::kBrxIdx); }

bool LeavesHere(Opcode opcode) {
  return IsBranch(opcode) || IsOneOf(opcode, Opcode::kRet, Opcode::kExit, Opcode::kTrap);
}

}  // namespace warpcheck::ptx
