#include "ptx/parser/operand_reader.h"

#include <fmt/format.h>

#include <string>

#include "ptx/limits.h"

namespace warpcheck::ptx {

WrittenOperand OperandReader::ReadOperand(int depth) {
  WrittenOperand written;
  written.token = token_;
  if (token_.Is('!') && depth == 0) {
    Advance();
    written = ReadOperand(limits::kNesting);
    if (written.operand.kind != OperandKind::kRegister) {
      Fail(written.token, fmt::format("'!' needs a predicate, got {}", Shown(written.token)));
    }
    written.operand.negated = true;
  } else if (token_.Is('{')) {
    ReadVector(written, depth);
    if (depth == 0 && Take('|')) written.second.push_back(ReadOperand(limits::kNesting));
  } else if (token_.Is('[')) {
    if (depth > 0) Fail(token_, "an address cannot stand here");
    ReadAddress(written);
  } else if (token_.kind == TokenKind::kIdentifier && token_.text != "WARP_SZ") {
    ReadName(written);
    if (depth == 0 && Take('|')) written.second.push_back(ReadOperand(limits::kNesting));
  } else {
    ReadNumber(written);
  }
  return written;
}

void OperandReader::ReadNumber(WrittenOperand& written) {
  Operand& operand = written.operand;
  operand.kind = OperandKind::kImmediate;
  const bool negative = Take('-');
  if (token_.kind == TokenKind::kFloat || token_.kind == TokenKind::kDouble) {
    written.literal = token_.kind;
    const int sign = token_.kind == TokenKind::kFloat ? 31 : 63;
    operand.bits = token_.bits ^ (std::uint64_t{negative} << sign);
    Advance();
    return;
  }
  const auto value = static_cast<std::uint64_t>(Constant());
  operand.bits = negative ? 0 - value : value;
  written.literal = TokenKind::kInteger;
}

// Reads a register, special register, symbol (with + offset or [offset]), function, label or "_".
void OperandReader::ReadName(WrittenOperand& written) {
  Operand& operand = written.operand;
  written.name = token_.text;
  Advance();
  if (written.name == "_") {
    operand.kind = OperandKind::kSink;
    return;
  }
  const Entity entity = scopes_.Find(written.name);
  if (entity.kind == EntityKind::kNone && written.name[0] == '%') return ReadSpecial(written);
  if (entity.kind == EntityKind::kRegister) {
    operand.kind = OperandKind::kRegister;
    operand.reg = entity.id;
  } else if (entity.kind == EntityKind::kFunction) {
    operand.kind = OperandKind::kFunction;
    operand.function = entity.id;
  } else if (entity.kind == EntityKind::kSymbol) {
    operand.kind = OperandKind::kSymbol;
    operand.symbol = entity.id;
  }
  if (operand.kind != OperandKind::kSymbol && operand.kind != OperandKind::kNone) return;
  if (token_.Is('+') || token_.Is('-')) {
    Take('+');
    operand.offset = Constant();  // Constant() reads a minus itself
  } else if (Take('[')) {
    operand.offset = Constant();
    Expect(']');
  }
}

void OperandReader::ReadSpecial(WrittenOperand& written) {
  std::string name(written.name);
  if (token_.kind == TokenKind::kDotted && token_.glued) {
    name += token_.text;
    Advance();
  }
  const auto special = ValueNamed<SpecialRegister>(name);
  if (!special) {
    return Fail(written.token,
                fmt::format("'{}' is neither a declared register nor a supported special register",
                            name.substr(0, limits::kShownText)));
  }
  written.operand.kind = OperandKind::kSpecial;
  written.operand.special = *special;
}

void OperandReader::ReadAddress(WrittenOperand& written) {
  Expect('[');
  Operand& operand = written.operand;
  operand.kind = OperandKind::kAddress;
  if (token_.kind == TokenKind::kIdentifier && token_.text != "WARP_SZ") {
    WrittenOperand base;
    base.token = token_;
    ReadName(base);
    written.name = base.name;
    if (failed()) return;
    operand.offset = base.operand.offset;
    if (base.operand.kind == OperandKind::kRegister) {
      operand.base = AddressBase::kRegister;
      operand.reg = base.operand.reg;
    } else if (base.operand.kind == OperandKind::kSymbol) {
      operand.base = AddressBase::kSymbol;
      operand.symbol = base.operand.symbol;
    } else if (base.operand.kind == OperandKind::kNone) {
      operand.base = AddressBase::kSymbol;  // it may be declared later (ResolvePending)
      written.elements.push_back(base);
    } else {
      Fail(base.token, fmt::format("{} is not an address", Shown(base.token)));
    }
    if (token_.Is('+') || token_.Is('-')) {
      Take('+');
      operand.offset = Constant();
    }
  } else {
    operand.offset = Constant();
  }
  if (Take(',')) {
    if (token_.Is('[')) return Fail(token_, "an address cannot contain another address");
    written.coordinates.push_back(ReadOperand());
  }
  Expect(']');
}

void OperandReader::ReadVector(WrittenOperand& written, int depth) {
  if (depth > 0) return Fail(token_, "a vector cannot stand here");
  Expect('{');
  written.operand.kind = OperandKind::kVector;
  List('}', [&] {
    written.elements.push_back(ReadOperand(limits::kNesting));
    if (written.elements.size() > static_cast<std::size_t>(limits::kVectorElements)) {
      Fail(written.token, "a vector has at most 8 elements");
    }
  });
}

}  // namespace warpcheck::ptx
