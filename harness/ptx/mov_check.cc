// mov: registers, constants, special registers, addresses, packing and unpacking (PTX ISA, 9.7.9).
#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace warpcheck::ptx {
namespace {

Type BitsOf(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return Type::kB8;
    case 2:
      return Type::kB16;
    case 4:
      return Type::kB32;
    case 8:
      return Type::kB64;
    default:
      return Type::kNone;
  }
}

}  // namespace

Operand Parser::CheckPack(WrittenOperand& written, Type type, bool destination) {
  const std::size_t count = written.elements.size();
  const Type element = count == 0 ? Type::kNone : BitsOf(Bytes(type) / count);
  if (count < 2 || IsFloat(type) || type == Type::kPred || element == Type::kNone ||
      Bytes(element) * count != Bytes(type)) {
    Fail(written.token, fmt::format("{} elements do not make a .{}", count, Text(type)));
    return {};
  }
  Operand result;
  result.kind = OperandKind::kVector;
  for (WrittenOperand& one : written.elements) {
    result.elements.push_back(destination ? CheckDestination(one, element, false, true)
                                          : CheckSource(one, element, false, false));
    if (failed()) break;
  }
  return result;
}

void Parser::CheckMove(std::vector<WrittenOperand>& written, Instruction& instruction,
                       const Token& token) {
  if (written.size() != 2) {
    return Fail(token, fmt::format("'mov' takes 2 operands, got {}", written.size()));
  }
  const Type type = instruction.modifiers.type;
  WrittenOperand& to = written[0];
  WrittenOperand& from = written[1];
  if (to.operand.selector.bits != 0 || from.operand.selector.bits != 0) {
    return Fail(to.token, "'mov' takes no part of a register like .b0");
  }
  if (!to.second.empty() || !from.second.empty()) return Fail(token, "'mov' gives one result");
  const bool unpack = to.operand.kind == OperandKind::kVector;
  auto& operands = instruction.operands;
  operands.reserve(2);
  operands.push_back(unpack ? CheckPack(to, type, true) : CheckDestination(to, type, false, false));
  if (failed()) return;
  switch (from.operand.kind) {
    case OperandKind::kVector:
      if (unpack) return Fail(from.token, "'mov' takes one vector");
      operands.push_back(CheckPack(from, type, false));
      break;
    case OperandKind::kSpecial:
      operands.push_back(CheckSpecial(from, type, false));
      break;
    case OperandKind::kSymbol:
    case OperandKind::kFunction:
    case OperandKind::kNone:
      operands.push_back(CheckSymbol(from, type, PlaceOf(instruction)));
      break;
    default:
      operands.push_back(CheckSource(from, type, false, type == Type::kPred));
  }
}

}  // namespace warpcheck::ptx
