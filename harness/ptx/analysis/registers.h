// Visits the registers that an instruction reads and writes. The parser has counted its
// destinations by the roles of its operands in opcodes.def (Instruction::destinations).
#pragma once

#include <cstddef>

#include "ptx/module.h"

namespace warpcheck::ptx {

// Calls visit(RegisterId) for each register that an operand names, including the base of an address
// and the elements of a vector.
template <class Visit>
void EachRegister(const Operand& operand, Visit visit) {
  if (operand.NamesRegister()) visit(operand.reg);
  for (const Operand& element : operand.elements) EachRegister(element, visit);
}

// Calls visit(RegisterId) for each register that the instruction writes if its guard is true.
template <class Visit>
void EachWrite(const Instruction& instruction, Visit visit) {
  for (std::size_t i = 0; i < instruction.destinations; ++i) {
    EachRegister(instruction.operands[i], visit);
  }
}

// Calls visit(RegisterId) for each register that the instruction reads; its guard comes first.
template <class Visit>
void EachRead(const Instruction& instruction, Visit visit) {
  if (instruction.guard) visit(instruction.guard->predicate);
  for (std::size_t i = instruction.destinations; i < instruction.operands.size(); ++i) {
    EachRegister(instruction.operands[i], visit);
  }
}

}  // namespace warpcheck::ptx
