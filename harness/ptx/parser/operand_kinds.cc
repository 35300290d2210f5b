#include "ptx/parser/operand_kinds.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "ptx/shapes.h"

namespace warpcheck::ptx {
namespace {

bool IsBits(Type type) { return type >= Type::kB8 && type <= Type::kB128; }
bool IsInteger(Type type) { return type >= Type::kU8 && type <= Type::kS64; }

// Returns whether an operand of `type` may be a register that is declared as `declared`. `wide`
// allows wider registers, for ld, st and cvt.
bool RegisterFits(Type declared, Type type, bool wide) {
  if (declared == Type::kPred || type == Type::kPred) return declared == type;
  const std::uint32_t have = Bytes(declared);
  const std::uint32_t need = Bytes(type);
  if (have < need || (have != need && !wide)) return false;
  if (IsBits(declared)) return true;
  if (IsBits(type)) return have == need || IsInteger(declared);
  if (IsInteger(declared) && IsInteger(type)) return true;
  return declared == type;
}

// Converts a constant (kInteger, kFloat or kDouble) to the bits of a value of `type` (PTX ISA,
// section 4.5.5). Returns nothing if the type has no such value.
std::optional<std::uint64_t> ImmediateBits(TokenKind literal, std::uint64_t bits, Type type) {
  if (literal == TokenKind::kInteger) {
    if (IsFloat(type)) return std::nullopt;
    if (type == Type::kPred) return bits != 0 ? 1 : 0;
    const std::uint32_t width = Bytes(type) * 8;
    return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  }
  const bool is_single = literal == TokenKind::kFloat;
  if (type == Type::kF32 && is_single) return bits;
  if (type == Type::kF64 && !is_single) return bits;
  if (type == Type::kF32) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  if (type == Type::kF64) {
    return std::bit_cast<std::uint64_t>(
        double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))});
  }
  if ((type == Type::kB32 && is_single) || (type == Type::kB64 && !is_single)) return bits;
  return std::nullopt;
}

}  // namespace

void OperandKindCheck::NotDeclared(const WrittenOperand& written) {
  Fail(written.token, fmt::format("'{}' is not declared", written.name));
}

void OperandKindCheck::CheckRegister(const WrittenOperand& written, Type type, bool wide) {
  const Register& declared = function().registers[written.operand.reg];
  if (RegisterFits(declared.type, type, wide)) return;
  Fail(written.token, fmt::format("register '{}' is .{}, which does not fit .{}", declared.name,
                                  Text(declared.type), Text(type)));
}

Operand OperandKindCheck::CheckDestination(WrittenOperand& written, Type type, bool wide,
                                           bool sink) {
  if (written.operand.kind == OperandKind::kSink && sink) return written.operand;
  if (written.operand.kind == OperandKind::kNone) {
    NotDeclared(written);
  } else if (written.operand.kind != OperandKind::kRegister || written.operand.negated) {
    Unexpected(written.token, "a destination register");
  } else {
    CheckRegister(written, type, wide);
  }
  return std::move(written.operand);
}

Operand OperandKindCheck::CheckSource(WrittenOperand& written, Type type, bool wide,
                                      bool negatable) {
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
      Unexpected(written.token, "a register or constant");
  }
  return std::move(written.operand);
}

Operand OperandKindCheck::CheckImmediate(const WrittenOperand& written, Type type) {
  Operand operand = written.operand;
  if (const auto bits = ImmediateBits(written.literal, operand.bits, type)) {
    operand.bits = *bits;
  } else {
    Fail(written.token,
         fmt::format("{} is not a constant of .{}", Shown(written.token), Text(type)));
  }
  return operand;
}

Operand OperandKindCheck::CheckSpecial(const WrittenOperand& written, Type type, bool wide) {
  const Type read = TypeOf(written.operand.special);
  if (!RegisterFits(read, type, wide)) {
    Fail(written.token, fmt::format("special register '{}' is .{}, which does not fit .{}",
                                    Text(written.operand.special), Text(read), Text(type)));
  }
  return written.operand;
}

// Checks the address of a variable or function. The module may declare the name later.
Operand OperandKindCheck::CheckSymbol(WrittenOperand& written, Type type,
                                      const OperandPlace& place) {
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

Operand OperandKindCheck::CheckAddress(WrittenOperand& written, const Instruction& instruction,
                                       Space space) {
  Operand& operand = written.operand;
  if (operand.kind != OperandKind::kAddress) {
    Unexpected(written.token, "an address in [ ]");
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

// Checks the registers of a matrix fragment, whose number follows from its shape and type.
Operand OperandKindCheck::CheckFragment(WrittenOperand& written, const Instruction& instruction) {
  const char matrix =
      MatrixAt(instruction.opcode, instruction.modifiers, instruction.operands.size());
  const auto fragment = FragmentOf(instruction.opcode, instruction.modifiers, matrix);
  if (written.operand.kind != OperandKind::kVector) {
    Fail(written.token, fmt::format("expected the registers of matrix {} in {{ }}, got {}", matrix,
                                    Shown(written.token)));
  } else if (fragment && written.elements.size() != fragment->registers) {
    Fail(written.token, fmt::format("matrix {} takes {} registers, got {}", matrix,
                                    fragment->registers, written.elements.size()));
  }
  if (!fragment) written.elements.clear();  // the instruction is not executed
  const bool gives = matrix == 'd' && instruction.opcode != Opcode::kWmmaStore;
  return CheckElements(written, [&](WrittenOperand& one) {
    return gives ? CheckDestination(one, fragment->reg, false, true)
                 : CheckSource(one, fragment->reg, false, false);
  });
}

Operand OperandKindCheck::CheckVector(bool destination, WrittenOperand& written,
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
  Operand vector = CheckElements(written, [&](WrittenOperand& one) { return check(one, true); });
  if (modifiers.vector == 1 && !failed()) return Operand(vector.elements[0]);
  return vector;
}

}  // namespace warpcheck::ptx
