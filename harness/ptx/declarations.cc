// Variables of the module, of functions, and parameters (PTX ISA, sections 5.4 and 11.6).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "ptx/limits.h"
#include "ptx/parser_impl.h"

namespace warpcheck::ptx {
namespace {

// With its names, and the allocation that a variable is.
constexpr std::uint64_t kHeldBySymbol = 2 * sizeof(Symbol) + 512;

}  // namespace

void Parser::Linkage(LinkWord& link) {
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

bool Parser::VariableSpace(Space& space) {
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

void Parser::Variables(Space space, const LinkWord& link) {
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

Parser::Variable Parser::VariableHead(Space space) {
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
  if (variable.symbol.type == Type::kNone) {
    Fail(token_, fmt::format("expected a type, got {}", Shown(token_)));
  }
  variable.element_bytes = std::uint64_t{Bytes(variable.symbol.type)} * vector;
  variable.symbol.align = static_cast<std::uint32_t>(
      align != 0 ? align : std::max<std::uint64_t>(1, variable.element_bytes));
  return variable;
}

void Parser::VariableName(Variable& variable) {
  if (TakeDotted(".ptr")) {  // of a parameter: what it points to
    Space ignored = Space::kGlobal;
    VariableSpace(ignored);
    if (TakeDotted(".align")) Constant();
  }
  variable.token = token_;
  variable.name = Name("a variable's name");
  Dimensions(variable);
}

void Parser::Dimensions(Variable& variable) {
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

SymbolId Parser::AddSymbol(Variable& variable) {
  const auto id = static_cast<SymbolId>(module_.symbols.size());
  Hold(kHeldBySymbol + variable.name.size() + variable.symbol.initial.size() +
       variable.symbol.relocations.size() * sizeof(Symbol::Relocation));
  variable_bytes_ += variable.symbol.bytes;
  if (variable_bytes_ > limits::kAllVariableBytes) {
    Fail(variable.token, "the variables of this module are too large");
  }
  const Entity* known = scopes_.FindInnermost(variable.name);
  if (known != nullptr && known->kind == EntityKind::kSymbol && !in_body_) {
    Symbol& before = module_.symbols[known->id];
    const bool same = before.space == variable.symbol.space && before.type == variable.symbol.type;
    if (same && (before.is_extern || variable.symbol.is_extern)) {
      if (before.is_extern && !variable.symbol.is_extern) {
        variable.symbol.name = before.name;
        before = std::move(variable.symbol);
      }
      return known->id;
    }
  }
  if (!scopes_.Declare(variable.name, {EntityKind::kSymbol, id, 0})) {
    Fail(variable.token, fmt::format("'{}' is already declared", variable.name));
  }
  variable.symbol.name = variable.name;
  module_.symbols.push_back(std::move(variable.symbol));
  return id;
}

}  // namespace warpcheck::ptx
