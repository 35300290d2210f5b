// One operand of each kind: its width (PTX ISA, section 9.4.1), constants in the type they are for.
#include <fmt/format.h>

#include "ptx/fragments.h"
#include "ptx/parser_impl.h"
#include "ptx/register_fit.h"

namespace warpcheck::ptx {

void Parser::NotDeclared(const WrittenOperand& written) {
  Fail(written.token, fmt::format("'{}' is not declared", written.name));
}

void Parser::CheckRegister(const WrittenOperand& written, Type type, bool wide) {
  const Register& declared = function().registers[written.operand.reg];
  if (RegisterFits(declared.type, type, wide)) return;
  Fail(written.token, fmt::format("register '{}' is .{}, which does not fit .{}", declared.name,
                                  Text(declared.type), Text(type)));
}

Operand Parser::CheckDestination(WrittenOperand& written, Type type, bool wide, bool sink) {
  if (written.operand.kind == OperandKind::kSink && sink) return written.operand;
  if (written.operand.kind == OperandKind::kNone) {
    NotDeclared(written);
  } else if (written.operand.kind != OperandKind::kRegister || written.operand.negated) {
    Fail(written.token,
         fmt::format("expected a destination register, got {}", Shown(written.token)));
  } else {
    CheckRegister(written, type, wide);
  }
  return std::move(written.operand);
}

Operand Parser::CheckSource(WrittenOperand& written, Type type, bool wide, bool negatable) {
  switch (written.operand.kind) {
    case OperandKind::kImmediate:
      return CheckImmediate(written, type);
    case OperandKind::kRegister:
      CheckRegister(written, type, wide);
      if (written.operand.negated && !negatable) {
        Fail(written.token, "'!' stands only before predicates");
      }
      break;
    case OperandKind::kNone:
      NotDeclared(written);
      break;
    default:
      Fail(written.token,
           fmt::format("expected a register or constant, got {}", Shown(written.token)));
  }
  return std::move(written.operand);
}

Operand Parser::CheckImmediate(const WrittenOperand& written, Type type) {
  Operand operand = written.operand;
  if (const auto bits = ImmediateBits(written.literal, operand.bits, type)) {
    operand.bits = *bits;
  } else {
    Fail(written.token,
         fmt::format("{} is not a constant of .{}", Shown(written.token), Text(type)));
  }
  return operand;
}

Operand Parser::CheckSpecial(const WrittenOperand& written, Type type, bool wide) {
  const Type read = TypeOf(written.operand.special);
  if (!RegisterFits(read, type, wide)) {
    Fail(written.token, fmt::format("special register '{}' is .{}, which does not fit .{}",
                                    Text(written.operand.special), Text(read), Text(type)));
  }
  return written.operand;
}

// The address of a variable or function, maybe one that the module declares later.
Operand Parser::CheckSymbol(WrittenOperand& written, Type type, const OperandPlace& place) {
  const bool narrow = Bytes(type) == 4 && written.operand.kind == OperandKind::kSymbol &&
                      module_.symbols[written.operand.symbol].space == Space::kShared;
  if (IsFloat(type) || (Bytes(type) != 8 && !narrow)) {
    Fail(written.token,
         fmt::format("the address {} does not fit .{}", Shown(written.token), Text(type)));
  }
  if (written.operand.kind == OperandKind::kNone) {
    pending_symbols_.push_back({place, written.token, written.name});
  }
  return std::move(written.operand);
}

Operand Parser::CheckAddress(WrittenOperand& written, const Instruction& instruction, Space space) {
  Operand& operand = written.operand;
  if (operand.kind != OperandKind::kAddress) {
    Fail(written.token, fmt::format("expected an address in [ ], got {}", Shown(written.token)));
  } else if (!written.elements.empty()) {
    pending_symbols_.push_back({PlaceOf(instruction), written.elements[0].token, written.name});
  } else if (operand.base == AddressBase::kRegister) {
    const Type type = function().registers[operand.reg].type;
    const bool narrow = space != Space::kGeneric && space != Space::kGlobal && Bytes(type) == 4;
    if (IsFloat(type) || (Bytes(type) != 8 && !narrow)) {
      Fail(written.token, fmt::format("register '{}' is .{}, which cannot hold this address",
                                      written.name, Text(type)));
    }
  } else if (operand.base == AddressBase::kSymbol) {
    const Space declared = module_.symbols[operand.symbol].space;
    if (declared == space) return std::move(operand);
    const std::string wanted =
        space == Space::kGeneric ? "generic" : fmt::format(".{}", Text(space));
    Fail(written.token, fmt::format("'{}' is a .{} variable, the instruction takes {} addresses",
                                    written.name, Text(declared), wanted));
  }
  return std::move(operand);
}

// The registers of a matrix fragment: as many as its shape and type say.
Operand Parser::CheckFragment(WrittenOperand& written, const Instruction& instruction) {
  const char matrix =
      MatrixAt(instruction.opcode, instruction.modifiers, instruction.operands.size());
  const auto fragment = FragmentOf(instruction.opcode, instruction.modifiers, matrix);
  Operand vector;
  vector.kind = OperandKind::kVector;
  if (written.operand.kind != OperandKind::kVector) {
    Fail(written.token, fmt::format("expected the registers of matrix {} in {{ }}, got {}", matrix,
                                    Shown(written.token)));
  } else if (fragment && written.elements.size() != fragment->registers) {
    Fail(written.token, fmt::format("matrix {} takes {} registers, got {}", matrix,
                                    fragment->registers, written.elements.size()));
  }
  for (WrittenOperand& element : written.elements) {
    if (failed()) break;
    if (fragment && matrix == 'd' && instruction.opcode != Opcode::kWmmaStore) {
      vector.elements.push_back(CheckDestination(element, fragment->reg, false, true));
    } else if (fragment) {
      vector.elements.push_back(CheckSource(element, fragment->reg, false, false));
    }
  }
  return vector;
}

Operand Parser::CheckVector(bool destination, WrittenOperand& written,
                            const Instruction& instruction) {
  const Modifiers& modifiers = instruction.modifiers;
  const std::uint32_t bytes = modifiers.vector * Bytes(modifiers.type);
  if (bytes > 32 || (bytes > 16 && modifiers.space != Space::kGlobal)) {
    Fail(written.token, fmt::format(".v{}.{} is too wide", modifiers.vector, Text(modifiers.type)));
  }
  const auto check = [&](WrittenOperand& one, bool sink) {
    return destination ? CheckDestination(one, modifiers.type, true, sink)
                       : CheckSource(one, modifiers.type, true, false);
  };
  const bool braces = written.operand.kind == OperandKind::kVector;
  if (!braces && modifiers.vector == 1) return check(written, false);
  if (!braces || written.elements.size() != modifiers.vector) {
    Fail(written.token, fmt::format("expected {} elements in {{ }}, got {}", modifiers.vector,
                                    braces ? written.elements.size() : 1));
    return {};
  }
  Operand vector;
  vector.kind = OperandKind::kVector;
  for (WrittenOperand& element : written.elements) vector.elements.push_back(check(element, true));
  if (modifiers.vector == 1 && !failed()) return Operand(vector.elements[0]);
  return vector;
}

}  // namespace warpcheck::ptx
