#include "ptx/analysis/known_addresses.h"

#include <cstddef>
#include <cstdint>

namespace warpcheck::ptx {
namespace {

// Calls use(register) for each register that the instruction writes.
template <class Use>
void EachWritten(const Instruction& instruction, Use use) {
  const std::size_t count =
      instruction.opcode == Opcode::kCall ? instruction.operands.size() : instruction.destinations;
  for (std::size_t i = 0; i < count && i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.kind == OperandKind::kRegister) use(operand.reg);
    for (const Operand& element : operand.elements) {
      if (element.kind == OperandKind::kRegister) use(element.reg);
    }
  }
}

}  // namespace

bool KnownAddresses::IsKnown(const Operand& operand) const {
  return operand.kind == OperandKind::kSymbol ||
         (operand.kind == OperandKind::kRegister && known_[operand.reg]);
}

// Returns whether the instruction makes an address of known ones and of numbers in the code.
bool KnownAddresses::Makes(const Instruction& instruction) const {
  if (instruction.guard || instruction.operands.size() < 2) return false;
  switch (instruction.opcode) {
    case Opcode::kMov:
    case Opcode::kCvta:
      return IsKnown(instruction.operands[1]);
    case Opcode::kAdd:
      return IsKnown(instruction.operands[1]) &&
             instruction.operands[2].kind == OperandKind::kImmediate;
    default:
      return false;
  }
}

// A register that several instructions write may change, so that only those with one are known.
// Code defines a register before it uses it.
void KnownAddresses::Find(const Function& function) {
  std::vector<std::uint8_t> writes(function.registers.size());
  for (const Instruction& instruction : function.body) {
    EachWritten(instruction, [&](RegisterId reg) {
      if (writes[reg] < 2) ++writes[reg];
    });
  }
  known_.assign(function.registers.size(), false);
  for (const Instruction& instruction : function.body) {
    if (!Makes(instruction)) continue;
    EachWritten(instruction, [&](RegisterId reg) { known_[reg] = writes[reg] == 1; });
  }
}

}  // namespace warpcheck::ptx
