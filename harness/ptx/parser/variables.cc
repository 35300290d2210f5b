#include "ptx/parser/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/round_up.h"
#include "base/text.h"
#include "ptx/limits.h"

namespace warpcheck::ptx {
namespace {

// The memory of a variable, with its names and its allocation.
constexpr std::uint64_t kHeldBySymbol = 2 * sizeof(Symbol) + 512;

}  // namespace

void VariableReader::Linkage(LinkWord& link) {
  while (true) {
    if (TakeDotted(".extern")) {
      link.is_extern = true;
    } else if (TakeDotted(".visible") || TakeDotted(".weak") || TakeDotted(".common")) {
      link.visible = true;
    } else {
      return;
    }
  }
}

bool VariableReader::VariableSpace(Space& space) {
  constexpr std::pair<std::string_view, Space> kSpaces[] = {
      {".global", Space::kGlobal}, {".const", Space::kConst},        {".shared", Space::kShared},
      {".local", Space::kLocal},   {".shared::cta", Space::kShared}, {".param", Space::kParam},
  };
  for (const auto& [text, named] : kSpaces) {
    if (!TakeDotted(text)) continue;
    space = named;
    return true;
  }
  return false;
}

void VariableReader::Variables(Space space, const LinkWord& link) {
  if (!in_body_ && space != Space::kGlobal && space != Space::kConst && space != Space::kShared) {
    return Fail(token_, fmt::format(".{} variables belong into functions", Text(space)));
  }
  Variable head = VariableHead(space);
  head.symbol.is_extern = link.is_extern;
  if (in_body_) head.symbol.owner = current();
  do {
    Variable variable = head;
    VariableName(variable);
    if (Take('=')) {
      Initializer(variable);
    } else if (variable.open && !link.is_extern) {
      Fail(variable.token, fmt::format("'{}' has no size", variable.name));
    }
    if (failed()) return;
    const SymbolId id = AddSymbol(variable);
    for (const auto& [relocation, name] : unresolved_) {
      pending_relocations_.push_back({id, relocation, name});
    }
    unresolved_.clear();
    if (in_body_) function().locals.push_back(id);
  } while (Take(','));
  Expect(';');
}

VariableReader::Variable VariableReader::VariableHead(Space space) {
  Variable variable;
  variable.symbol.space = space;
  std::uint64_t align = 0;
  unsigned vector = 1;
  while (token_.kind == TokenKind::kDotted && variable.symbol.type == Type::kNone) {
    const Token word = token_;
    Advance();
    if (word.text == ".align") {
      align = token_.bits;
      if (token_.kind != TokenKind::kInteger || !std::has_single_bit(align) ||
          align > limits::kAlignment) {
        Fail(token_, fmt::format("alignment must be a power of two up to {}, got {}",
                                 limits::kAlignment, Shown(token_)));
      }
      Advance();
    } else if (word.text == ".attribute") {
      Expect('(');
      while (token_.kind != TokenKind::kEnd && !token_.Is(')')) {
        if (token_.IsDotted(".managed")) variable.symbol.is_managed = true;
        Advance();
      }
      Expect(')');
    } else if (word.text == ".v2" || word.text == ".v4") {
      vector = word.text == ".v2" ? 2 : 4;
    } else if (const auto type = TypeNamed(word.text.substr(1));
               type && *type != Type::kPred && !IsPackedInteger(*type)) {
      variable.symbol.type = *type;
    } else if (word.text == ".texref" || word.text == ".samplerref" || word.text == ".surfref") {
      Fail(word, fmt::format("'{}' variables are not supported", word.text));
    } else {
      Fail(word, fmt::format("'{}' is not a type", word.text));
    }
  }
  if (variable.symbol.type == Type::kNone) Unexpected(token_, "a type");
  variable.element_bytes = std::uint64_t{Bytes(variable.symbol.type)} * vector;
  variable.symbol.align = static_cast<std::uint32_t>(
      align != 0 ? align : std::max<std::uint64_t>(1, variable.element_bytes));
  return variable;
}

void VariableReader::VariableName(Variable& variable) {
  if (TakeDotted(".ptr")) {  // this says what a parameter points to
    Space ignored = Space::kGlobal;
    VariableSpace(ignored);
    if (TakeDotted(".align")) Constant();
  }
  variable.token = token_;
  variable.name = Name("a variable's name");
  Dimensions(variable);
}

void VariableReader::Dimensions(Variable& variable) {
  std::uint64_t bytes = variable.element_bytes;
  while (token_.Is('[')) {
    Advance();
    if (variable.dimensions.empty() && !variable.open && Take(']')) {
      variable.open = true;
      continue;
    }
    const Token at = token_;
    const std::int64_t size = Constant();
    Expect(']');
    if (size < 0 || static_cast<std::uint64_t>(size) > limits::kVariableBytes) {
      return Fail(at, fmt::format("size of '{}' is out of range", variable.name));
    }
    variable.dimensions.push_back(static_cast<std::uint64_t>(size));
    if (variable.dimensions.size() > static_cast<std::size_t>(limits::kDimensions)) {
      return Fail(at, fmt::format("'{}' has too many dimensions", variable.name));
    }
    bytes *= static_cast<std::uint64_t>(size);
    if (bytes > limits::kVariableBytes) {
      return Fail(variable.token, fmt::format("'{}' is larger than {} MiB", variable.name,
                                              limits::kVariableBytes >> 20));
    }
  }
  variable.symbol.bytes = variable.open ? 0 : bytes;
}

SymbolId VariableReader::AddSymbol(Variable& variable) {
  const auto id = static_cast<SymbolId>(module_.symbols.size());
  Hold(kHeldBySymbol + variable.name.size() + variable.symbol.initial.size() +
       variable.symbol.relocations.size() * sizeof(Symbol::Relocation));
  variable_bytes_ += variable.symbol.bytes;
  if (variable_bytes_ > limits::kAllVariableBytes) {
    Fail(variable.token, "the variables of this module are too large");
  }
  if (variable.symbol.space == Space::kConst) {
    constant_bytes_ += variable.symbol.bytes;
    if (constant_bytes_ > limits::kConstantBytes) {
      Fail(variable.token,
           fmt::format("the __constant__ variables take {} bytes or more, and the limit is {}",
                       Grouped(constant_bytes_), Grouped(limits::kConstantBytes)));
    }
  }
  const Entity known = scopes_.FindInnermost(variable.name);
  if (known.kind == EntityKind::kSymbol && !in_body_) {
    Symbol& before = module_.symbols[known.id];
    const bool same = before.space == variable.symbol.space && before.type == variable.symbol.type;
    if (same && (before.is_extern || variable.symbol.is_extern)) {
      if (before.is_extern && !variable.symbol.is_extern) {
        variable.symbol.name = before.name;
        before = std::move(variable.symbol);
      }
      return known.id;
    }
  }
  Declare(variable.name, variable.token, {EntityKind::kSymbol, id, 0});
  variable.symbol.name = variable.name;
  module_.symbols.push_back(std::move(variable.symbol));
  return id;
}

void VariableReader::Initializer(Variable& variable) {
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

// Reads a list in braces whose elements start at byte `at`. Returns the position of the byte after
// the last element.
std::uint64_t VariableReader::InitialList(Variable& variable, std::size_t level, std::uint64_t at,
                                          int depth) {
  if (depth > limits::kNesting) Fail(token_, "initial value is nested too deeply");
  std::uint64_t stride = variable.element_bytes;
  const std::size_t first = level + (variable.open ? 0 : 1);
  for (std::size_t i = first; i < variable.dimensions.size(); ++i) {
    stride *= variable.dimensions[i];
  }
  const std::uint64_t scalar = Bytes(variable.symbol.type);
  List('}', [&] {
    if (Take('{')) {
      InitialList(variable, level + 1, at, depth + 1);
      at += stride;
    } else {
      InitialValue(variable, at);
      at += scalar;
    }
  });
  return at;
}

void VariableReader::InitialValue(Variable& variable, std::uint64_t at) {
  const Type type = variable.symbol.type;
  if (token_.kind == TokenKind::kIdentifier) return InitialAddress(variable, at, std::nullopt);
  const Token first = token_;
  const bool negative = Take('-');
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

// Reads sym or generic(sym), with + or - a constant. Also reads 0xFF00(sym), which is one byte of
// the address.
void VariableReader::InitialAddress(Variable& variable, std::uint64_t at,
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
  const unsigned byte = mask ? mask_bytes_ : 0;
  if (mask) {
    const bool fits = Bytes(variable.symbol.type) == 1 && *mask == std::uint64_t{0xFF} << 8 * byte;
    const bool same = byte == 0 || (relocations.back().at + byte == at &&
                                    unresolved_.back().second.text == name.text);
    if (!fits || !same) return Fail(start, "the bytes of an address must follow each other");
    mask_bytes_ = (byte + 1) % 8;
  } else if (Bytes(variable.symbol.type) != 8) {
    return Fail(start, fmt::format("an address does not fit .{}", Text(variable.symbol.type)));
  }
  StoreInitial(variable, at, 0);
  if (byte != 0) return;
  Hold(2 * (sizeof(Symbol::Relocation) + sizeof unresolved_[0] + sizeof(PendingRelocation)));
  if (failed()) return;
  unresolved_.emplace_back(relocations.size(), name);
  relocations.push_back({.at = at, .symbol = {}, .function = {}, .addend = offset});
}

void VariableReader::StoreInitial(Variable& variable, std::uint64_t at, std::uint64_t bits) {
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

}  // namespace warpcheck::ptx
