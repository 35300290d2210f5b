// OperandCheck compares the operands of an instruction with the pattern of its opcode's row: their
// number and their kinds.
#pragma once

#include <vector>

#include "ptx/opcode_row.h"
#include "ptx/parser/operand_kinds.h"

namespace warpcheck::ptx {

// An opcode with its suffixes. It is computed once for each distinct text.
struct ReadOpcode {
  Opcode opcode = {};
  const OpcodeForm* form = nullptr;  // null if the row accepts any suffixes
  Modifiers modifiers;
};

class OperandCheck : protected OperandKindCheck {
 protected:
  using OperandKindCheck::OperandKindCheck;

  void CheckOperands(const ReadOpcode& read, std::vector<WrittenOperand>& written,
                     Instruction& instruction, const Token& token);
  void CheckSlot(const OperandSlot& slot, WrittenOperand& written, Instruction& instruction);
  void PushSecond(WrittenOperand& written, Instruction& instruction);
  void UseLabel(const WrittenOperand& written, OperandPlace place);
  void BranchTargets(Instruction& instruction, const WrittenOperand& written);

  void CheckMove(std::vector<WrittenOperand>& written, Instruction& instruction,
                 const Token& token);
  Operand CheckPack(WrittenOperand& written, Type type, bool destination);
  Operand CheckTexture(WrittenOperand& written, const Instruction& instruction);
  Operand CheckGradient(WrittenOperand& written);

  std::size_t target_count_ = 0;
};

}  // namespace warpcheck::ptx
