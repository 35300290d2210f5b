#include "emulator/decode/operands.h"

#include <fmt/format.h>

#include "emulator/decode/decoder.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {

bool Operands::Present(std::size_t index) const {
  return index < size() && (*this)[index].kind != ptx::OperandKind::kNone &&
         (*this)[index].kind != ptx::OperandKind::kSink;
}

bool Operands::Wanted(std::size_t index) const {
  if (!Present(index)) return false;
  const ptx::Operand& operand = (*this)[index];
  return operand.kind != ptx::OperandKind::kRegister || decoder_.IsRead(operand.reg);
}

Slot Operands::Source(std::size_t index, std::uint32_t bytes) {
  if (index >= size()) {
    Refuse("lacks an operand");
    return 0;
  }
  return SourceOf((*this)[index], bytes);
}

Slot Operands::SourceOf(const ptx::Operand& operand, std::uint32_t bytes) {
  switch (operand.kind) {
    case ptx::OperandKind::kRegister:
      return DestinationOf(operand, bytes);
    case ptx::OperandKind::kImmediate:
      return decoder_.Constant(operand.bits, bytes);
    case ptx::OperandKind::kSpecial:
      return decoder_.Special(operand.special, bytes);
    case ptx::OperandKind::kSymbol:
      return decoder_.SymbolAddress(operand.symbol, operand.offset, bytes);
    case ptx::OperandKind::kFunction:
      return decoder_.Constant(FunctionAddress(operand.function), bytes);
    default:
      Refuse("has an operand of an unexpected kind");
      return 0;
  }
}

Slot Operands::Destination(std::size_t index, std::uint32_t bytes) {
  if (!Present(index)) return decoder_.Scratch(bytes);
  return DestinationOf((*this)[index], bytes);
}

Slot Operands::DestinationOf(const ptx::Operand& operand, std::uint32_t bytes) {
  if (operand.kind == ptx::OperandKind::kSink) return decoder_.Scratch(bytes);
  if (operand.kind != ptx::OperandKind::kRegister) {
    Refuse("has an operand of an unexpected kind");
    return 0;
  }
  const std::uint32_t width = RegisterBytesOf(operand);
  if (width != bytes) {
    Refuse(fmt::format("uses the {}-byte register {} where {} bytes are expected", width,
                       decoder_.function().registers[operand.reg].name, bytes));
  }
  return decoder_.RegisterSlot(operand.reg);
}

Slot Operands::SourcePredicate(std::size_t index, LaneMask& flip) {
  flip = 0;
  if (!Present(index)) return decoder_.Constant(~std::uint64_t{0}, sizeof(LaneMask));
  const ptx::Operand& operand = (*this)[index];
  if (operand.kind == ptx::OperandKind::kImmediate) {
    return decoder_.Constant(operand.bits != 0 ? ~std::uint64_t{0} : 0, sizeof(LaneMask));
  }
  flip = operand.negated ? kAllLanes : 0;
  return DestinationPredicate(index);
}

Slot Operands::DestinationPredicate(std::size_t index) {
  if (!Present(index)) return decoder_.Scratch(sizeof(LaneMask));
  const ptx::Operand& operand = (*this)[index];
  const bool is_predicate = operand.kind == ptx::OperandKind::kRegister &&
                            decoder_.function().registers[operand.reg].type == ptx::Type::kPred;
  if (!is_predicate) {
    Refuse("has something else where a predicate is expected");
    return 0;
  }
  return decoder_.RegisterSlot(operand.reg);
}

std::uint32_t Operands::RegisterBytes(std::size_t index) const {
  return index < size() ? RegisterBytesOf((*this)[index]) : 0;
}

std::uint32_t Operands::RegisterBytesOf(const ptx::Operand& operand) const {
  return operand.kind == ptx::OperandKind::kRegister ? decoder_.RegisterBytes(operand.reg) : 0;
}

void Operands::Refuse(std::string_view why) { decoder_.Refuse(why); }

}  // namespace warpcheck::emulator
