// OperandKindCheck checks one operand of each kind: its width (PTX ISA, section 9.4.1), and whether
// a constant fits its type.
#pragma once

#include <vector>

#include "ptx/parser/operand_reader.h"

namespace warpcheck::ptx {

class OperandKindCheck : protected OperandReader {
 protected:
  using OperandReader::OperandReader;

  template <class Check>
  Operand CheckElements(WrittenOperand& written, Check check) {
    Operand vector;
    vector.kind = OperandKind::kVector;
    for (WrittenOperand& element : written.elements) {
      if (!failed()) vector.elements.push_back(check(element));
    }
    return vector;
  }
  Operand CheckVector(bool destination, WrittenOperand& written, const Instruction& instruction);
  Operand CheckFragment(WrittenOperand& written, const Instruction& instruction);
  Operand CheckAddress(WrittenOperand& written, const Instruction& instruction, Space space);
  // `wide` allows registers that are wider than the type, and `sink` allows "_".
  Operand CheckDestination(WrittenOperand& written, Type type, bool wide, bool sink);
  Operand CheckSource(WrittenOperand& written, Type type, bool wide, bool negatable);
  Operand CheckImmediate(const WrittenOperand& written, Type type);
  Operand CheckSpecial(const WrittenOperand& written, Type type, bool wide);
  Operand CheckSymbol(WrittenOperand& written, Type type, const OperandPlace& place);
  void CheckRegister(const WrittenOperand& written, Type type, bool wide);
  void NotDeclared(const WrittenOperand& written);
};

}  // namespace warpcheck::ptx
