// Initial values of variables (PTX ISA, section 5.4.4) and constant expressions (4.5).
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/round_up.h"
#include "ptx/limits.h"
#include "ptx/parser_impl.h"

namespace warpcheck::ptx {

void Parser::Initializer(Variable& variable) {
  mask_bytes_ = 0;
  const Space space = variable.symbol.space;
  if (space != Space::kGlobal && space != Space::kConst) {
    return Fail(token_, fmt::format("a .{} variable cannot have an initial value", Text(space)));
  }
  if (token_.Is('{')) {
    Advance();
    const std::uint64_t bytes = InitialList(variable, 0, 0, 0);
    if (variable.open) {
      std::uint64_t row = variable.element_bytes;
      for (const std::uint64_t size : variable.dimensions) row *= size;
      variable.symbol.bytes = row == 0 ? 0 : RoundUp(bytes, row);
      variable.open = false;
    }
  } else {
    InitialValue(variable, 0);
  }
  if (mask_bytes_ != 0) Fail(token_, "an address is not written to its last byte");
  if (failed() || variable.symbol.initial.empty()) return;
  initial_bytes_ += variable.symbol.bytes - variable.symbol.initial.size();
  if (initial_bytes_ > limits::kInitialBytes) {
    return Fail(variable.token, "the initial values of this module are too large");
  }
  variable.symbol.initial.resize(variable.symbol.bytes);
}

// One braced list whose elements start at byte `at`; gives the byte after its last.
std::uint64_t Parser::InitialList(Variable& variable, std::size_t level, std::uint64_t at,
                                  int depth) {
  if (depth > limits::kNesting) Fail(token_, "initial value is nested too deeply");
  std::uint64_t stride = variable.element_bytes;
  const std::size_t first = level + (variable.open ? 0 : 1);
  for (std::size_t i = first; i < variable.dimensions.size(); ++i) {
    stride *= variable.dimensions[i];
  }
  const std::uint64_t scalar = Bytes(variable.symbol.type);
  while (!failed() && !token_.Is('}')) {
    if (Take('{')) {
      InitialList(variable, level + 1, at, depth + 1);
      at += stride;
    } else {
      InitialValue(variable, at);
      at += scalar;
    }
    if (!Take(',')) break;
  }
  Expect('}');
  return at;
}

void Parser::InitialValue(Variable& variable, std::uint64_t at) {
  const Type type = variable.symbol.type;
  const bool negative = token_.Is('-');
  if (token_.kind == TokenKind::kIdentifier) return InitialAddress(variable, at, std::nullopt);
  const Token first = token_;
  if (negative) {
    // A negative number may be of either kind; look at the one after the sign.
    Advance();
  }
  if (token_.kind == TokenKind::kFloat || token_.kind == TokenKind::kDouble) {
    double value = token_.kind == TokenKind::kFloat
                       ? std::bit_cast<float>(static_cast<std::uint32_t>(token_.bits))
                       : std::bit_cast<double>(token_.bits);
    std::uint64_t bits = token_.bits;
    if (negative) value = -value;
    if (type == Type::kF64 || type == Type::kB64) {
      if (negative || token_.kind == TokenKind::kFloat) bits = std::bit_cast<std::uint64_t>(value);
    } else if (type == Type::kF32 || type == Type::kB32) {
      if (negative || token_.kind == TokenKind::kDouble) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
      }
    } else {
      return Fail(token_, fmt::format("{} is not a value of .{}", Shown(token_), Text(type)));
    }
    Advance();
    return StoreInitial(variable, at, bits);
  }
  std::int64_t value = Constant();
  if (negative) value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
  if (token_.Is('(')) {
    return InitialAddress(variable, at, static_cast<std::uint64_t>(value));
  }
  if (IsFloat(type) && value != 0 && Bytes(type) != 2) {
    return Fail(first, fmt::format("{} is not a value of .{}", Shown(first), Text(type)));
  }
  StoreInitial(variable, at, static_cast<std::uint64_t>(value));
}

// sym, generic(sym), either with + or - a constant, or 0xFF00(sym): one byte of the address.
void Parser::InitialAddress(Variable& variable, std::uint64_t at,
                            std::optional<std::uint64_t> mask) {
  const Token start = token_;
  int open = 0;
  if (mask) {
    Expect('(');
    ++open;
  }
  Token name = token_;
  Name("a symbol");
  if (name.text == "generic" && Take('(')) {
    ++open;
    name = token_;
    Name("a symbol");
  }
  const auto addend = [&]() -> std::int64_t {
    const bool minus = token_.Is('-');
    if (!Take('+') && !Take('-')) return 0;
    const std::int64_t value = Constant();
    return minus ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value)) : value;
  };
  std::int64_t offset = addend();
  for (; open > 0 && !failed(); --open) Expect(')');
  if (offset == 0) offset = addend();
  if (failed()) return;
  auto& relocations = variable.symbol.relocations;
  if (mask) {
    const unsigned byte = mask_bytes_;
    const bool fits = Bytes(variable.symbol.type) == 1 && *mask == std::uint64_t{0xFF} << 8 * byte;
    const bool same = byte == 0 || (relocations.back().at + byte == at &&
                                    unresolved_.back().second.text == name.text);
    if (!fits || !same) return Fail(start, "the bytes of an address must follow each other");
    mask_bytes_ = (byte + 1) % 8;
    StoreInitial(variable, at, 0);
    if (byte != 0) return;
  } else if (Bytes(variable.symbol.type) != 8) {
    return Fail(start, fmt::format("an address does not fit .{}", Text(variable.symbol.type)));
  } else {
    StoreInitial(variable, at, 0);
  }
  Hold(2 * (sizeof(Symbol::Relocation) + sizeof unresolved_[0] + sizeof(PendingRelocation)));
  if (failed()) return;
  unresolved_.emplace_back(relocations.size(), name);
  relocations.push_back({.at = at, .symbol = {}, .function = {}, .addend = offset});
}

void Parser::StoreInitial(Variable& variable, std::uint64_t at, std::uint64_t bits) {
  const std::uint32_t bytes = Bytes(variable.symbol.type);
  std::vector<std::byte>& initial = variable.symbol.initial;
  const std::uint64_t end = at + bytes;
  if (!variable.open && end > variable.symbol.bytes) {
    return Fail(token_, fmt::format("too many initial values for '{}'", variable.name));
  }
  if (end > initial.size()) {
    initial_bytes_ += end - initial.size();
    if (initial_bytes_ > limits::kInitialBytes) {
      return Fail(variable.token, "the initial values of this module are too large");
    }
    initial.resize(end);
  }
  if (bytes > sizeof bits) return Fail(variable.token, "initial values of .b128 are not supported");
  std::memcpy(initial.data() + at, &bits, bytes);
}

std::int64_t Parser::Constant(int depth) {
  auto value = static_cast<std::uint64_t>(ConstantTerm(depth));
  while (token_.Is('+') || token_.Is('-') || token_.Is('*')) {
    const char operation = token_.text[0];
    Advance();
    auto right = static_cast<std::uint64_t>(ConstantTerm(depth));
    while (operation != '*' && Take('*')) right *= static_cast<std::uint64_t>(ConstantTerm(depth));
    value = operation == '+' ? value + right : operation == '-' ? value - right : value * right;
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t Parser::ConstantTerm(int depth) {
  if (depth > limits::kNesting) Fail(token_, "expression is nested too deeply");
  if (failed()) return 0;
  if (Take('-')) {
    return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(ConstantTerm(depth + 1)));
  }
  if (Take('+')) return ConstantTerm(depth + 1);
  if (Take('~')) return ~ConstantTerm(depth + 1);
  if (Take('!')) return ConstantTerm(depth + 1) == 0 ? 1 : 0;
  if (Take('(')) {
    const std::int64_t value = Constant(depth + 1);
    Expect(')');
    return value;
  }
  std::int64_t value = 32;
  if (token_.kind == TokenKind::kInteger) {
    value = static_cast<std::int64_t>(token_.bits);
  } else if (token_.kind != TokenKind::kIdentifier || token_.text != "WARP_SZ") {
    Fail(token_, fmt::format("expected a number, got {}", Shown(token_)));
  }
  Advance();
  return value;
}

}  // namespace warpcheck::ptx
