#include "ptx/parser/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ptx/limits.h"

namespace warpcheck::ptx {
namespace {

// The memory of a function and of what is made from it later: a kernel, its program, and tables of
// both.
constexpr std::uint64_t kHeldByFunction = 2 * sizeof(Function) + 2048;

}  // namespace

void FunctionReader::FunctionDirective(bool entry, const LinkWord& link) {
  if (failed()) return;
  if (token_.IsDotted(".attribute")) {
    while (token_.kind != TokenKind::kEnd && !Take(')')) Advance();
  }
  const auto id = static_cast<FunctionId>(module_.functions.size());
  Hold(kHeldByFunction + token_.text.size());
  Function made;
  made.is_entry = entry;
  FunctionId owner = id;
  scopes_.Push();
  if (token_.Is('(')) made.returns = Parameters(false, owner);
  const Token name = token_;
  made.name = Name("a function's name");
  if (token_.Is('(')) made.parameters = Parameters(entry, owner);
  attribute_error_.reset();
  FunctionAttributes(made);
  made.is_extern = link.is_extern;
  if (failed()) return;
  for (const SymbolId parameter : made.parameters) {
    const Symbol& symbol = module_.symbols[parameter];
    made.parameter_bytes = std::max(made.parameter_bytes,
                                    static_cast<std::uint32_t>(symbol.param_offset + symbol.bytes));
  }
  // The name belongs to the module, so the scope of the parameters is removed for a moment.
  const Entity known = scopes_.FindAtModule(name.text);
  if (known.kind == EntityKind::kNone) {
    scopes_.DeclareAtModule(name.text, {EntityKind::kFunction, id, 0});
    module_.functions.push_back(std::move(made));
  } else {
    const bool fits = known.kind == EntityKind::kFunction &&
                      module_.functions[known.id].is_entry == entry &&
                      SignatureOf(module_.functions[known.id]) == SignatureOf(made);
    if (!fits) return Fail(name, fmt::format("'{}' is already declared otherwise", name.text));
    owner = known.id;
    Function& before = module_.functions[owner];
    if (before.ptx_line != 0 && token_.Is('{')) {
      return Fail(name, fmt::format("'{}' is already defined", name.text));
    }
    if (before.ptx_line == 0) {
      made.noreturn = made.noreturn || before.noreturn;
      before = std::move(made);
    }
    for (const auto& list : {&Function::parameters, &Function::returns}) {
      for (const SymbolId symbol : before.*list) module_.symbols[symbol].owner = owner;
    }
  }
  function_ = owner;
  if (token_.Is('{')) {
    function().ptx_line = name.line;
    function().is_extern = false;
    Body();
  } else {
    Expect(';');
  }
  scopes_.Pop();
}

std::vector<SymbolId> FunctionReader::Parameters(bool entry, FunctionId owner) {
  std::vector<SymbolId> ids;
  std::uint64_t offset = 0;
  const bool was_in_body =
      std::exchange(in_body_, true);  // parameters belong to the scope of the function
  Expect('(');
  List(')', [&] {
    if (token_.IsDotted(".reg")) {
      Fail(token_, "register parameters are not supported: .param ones are");
    } else if (!TakeDotted(".param")) {
      Unexpected(token_, ".param");
    }
    Variable variable = VariableHead(Space::kParam);
    VariableName(variable);
    if (failed()) return;
    if (variable.open) Fail(variable.token, fmt::format("'{}' has no size", variable.name));
    Symbol& symbol = variable.symbol;
    symbol.owner = owner;
    offset = (offset + symbol.align - 1) / symbol.align * symbol.align;
    if (entry) symbol.param_offset = offset;
    offset += symbol.bytes;
    if (offset > limits::kParameterBytes) {
      Fail(variable.token,
           fmt::format("parameters are larger than {} bytes", limits::kParameterBytes));
    }
    ids.push_back(AddSymbol(variable));
  });
  in_body_ = was_in_body;
  return ids;
}

void FunctionReader::Body() {
  location_ = 0;
  places_.clear();
  in_body_ = true;
  Expect('{');
  OpenScope();
  if (auto error = std::exchange(attribute_error_, std::nullopt)) {
    const auto line = static_cast<std::uint32_t>(error->where.line);
    Refuse(std::move(*error), std::nullopt, line);
  }
  int depth = 1;
  while (!failed() && depth > 0) {
    if (Take('{')) {
      if (++depth > limits::kNesting) Fail(token_, "blocks are nested too deeply");
      OpenScope();
    } else if (token_.Is('}')) {
      CloseScope();
      --depth;
      Advance();
    } else if (token_.kind == TokenKind::kEnd) {
      Fail(token_, fmt::format("'{}' is not closed", function().name));
    } else {
      Statement();
    }
  }
  in_body_ = false;
}

void FunctionReader::OpenScope() {
  scopes_.Push();
  label_uses_.emplace_back();
}

// Resolves the labels that the block declares. Uses of other labels are left to the enclosing
// block.
void FunctionReader::CloseScope() {
  std::vector<LabelUse> uses = std::move(label_uses_.back());
  label_uses_.pop_back();
  for (LabelUse& use : uses) {
    const Entity label = scopes_.FindInnermost(use.name);
    if (label.kind == EntityKind::kLabel) {
      At(use.place).kind = OperandKind::kLabel;
      At(use.place).target = label.id;
    } else if (!label_uses_.empty()) {
      label_uses_.back().push_back(use);
    } else {
      Fail(use.token, fmt::format("label '{}' is not declared", use.name));
    }
  }
  scopes_.Pop();
}

}  // namespace warpcheck::ptx
