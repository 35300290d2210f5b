// .entry, .func, their parameters and what a body declares (PTX ISA, sections 7, 11.2 to 11.4).
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parser_impl.h"

namespace warpcheck::ptx {
namespace {

// With what is made of it later: a kernel, its program, and how both are found.
constexpr std::uint64_t kHeldByFunction = 2 * sizeof(Function) + 2048;
constexpr std::uint64_t kHeldByLabelUse = 192;

}  // namespace

void Parser::FunctionDirective(bool entry, const LinkWord& link) {
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
  // The name belongs to the module, so the scope of the parameters steps aside for it.
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

std::vector<SymbolId> Parser::Parameters(bool entry, FunctionId owner) {
  std::vector<SymbolId> ids;
  std::uint64_t offset = 0;
  const bool was_in_body = std::exchange(in_body_, true);  // they are of the function's scope
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

void Parser::FunctionAttributes(Function& function) {
  while (token_.kind == TokenKind::kDotted) {
    const Token word = token_;
    const Lexer after = lexer_;
    Advance();
    if (word.text == ".noreturn") {
      function.noreturn = true;
    } else if (word.text == ".maxntid") {
      function.max_threads = Threads();
    } else if (word.text == ".reqntid") {
      function.required_threads = Threads();
    } else if (word.text == ".reqnctapercluster") {
      function.required_cluster = 1;
      do function.required_cluster *= static_cast<std::uint64_t>(Constant()) & 0xffff;
      while (Take(','));
    } else if (word.text == ".minnctapersm" || word.text == ".maxnreg" ||
               word.text == ".maxnctapersm" || word.text == ".maxclusterrank") {
      do Constant();
      while (Take(','));
    } else if (word.text == ".pragma") {
      SkipToSemicolon();
    } else if (word.text == ".abi_preserve" || word.text == ".abi_preserve_control") {
      Constant();
    } else if (word.text != ".explicitcluster" && word.text != ".blocksareclusters") {
      Fail(word, fmt::format("unknown directive '{}'", word.text));
      if (failed_for_good_) return;
      attribute_error_ = std::exchange(error_, std::nullopt);
      lexer_ = after;
      Advance();
      while (token_.kind != TokenKind::kDotted && token_.kind != TokenKind::kEnd &&
             !token_.Is('{') && !token_.Is(';')) {
        Advance();
      }
    }
  }
}

std::uint32_t Parser::Threads() {
  std::uint64_t product = 1;
  const Token at = token_;
  do {
    const auto size = static_cast<std::uint64_t>(Constant());
    if (size == 0 || size > 1024 || (product *= size) > 1024) {
      Fail(at, "a block has 1 to 1024 threads");
      return 0;
    }
  } while (Take(','));
  return static_cast<std::uint32_t>(product);
}

void Parser::Body() {
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

void Parser::OpenScope() {
  scopes_.Push();
  label_uses_.emplace_back();
}

// Labels are of the block that has them; what the block does not have, the one around it may.
void Parser::CloseScope() {
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

Operand& Parser::At(const OperandPlace& place) {
  Operand& operand =
      module_.functions[place.function].body[place.instruction].operands[place.operand];
  return place.in_vector ? operand.elements[place.element] : operand;
}

void Parser::DeclareRegisters() {
  const bool vector = TakeDotted(".v2");
  const auto type =
      token_.kind == TokenKind::kDotted ? TypeNamed(token_.text.substr(1)) : std::nullopt;
  if (vector || !type || IsPackedInteger(*type)) return Unexpected(token_, "a register type");
  Advance();
  do {
    const Token at = token_;
    AddRegisters(Name("a register's name"), *type, at);
  } while (Take(','));
  Expect(';');
}

void Parser::AddRegisters(std::string_view name, Type type, const Token& token) {
  if (failed()) return;
  std::vector<Register>& registers = function().registers;
  const auto first = static_cast<RegisterId>(registers.size());
  std::uint64_t count = 1;
  const bool range = Take('<');
  if (range) {
    count = static_cast<std::uint64_t>(Constant());
    Expect('>');
  }
  if (count > limits::kRegisters || (register_count_ += count) > limits::kRegisters) {
    return FailForGood(token, fmt::format("more than {} registers", limits::kRegisters));
  }
  const auto held = static_cast<std::uint32_t>(count);
  // Beside the register itself: its name, where it lies, and what is known of it.
  Hold(held * (2 * sizeof(Register) + name.size() + 64));
  if (failed()) return;
  const bool fresh = range ? scopes_.DeclareRange(name, {EntityKind::kRange, first, held})
                           : scopes_.Declare(name, {EntityKind::kRegister, first, 0});
  if (!fresh) return Fail(token, fmt::format("'{}' is already declared", name));
  for (std::uint32_t i = 0; i < held; ++i) {
    registers.push_back({range ? fmt::format("{}{}", name, i) : std::string(name), type});
  }
}

std::vector<Signature::Item> Parser::PrototypeItems() {
  std::vector<Signature::Item> items;
  Expect('(');
  List(')', [&] {
    if (!TakeDotted(".param")) Unexpected(token_, ".param");
    Variable variable = VariableHead(Space::kParam);
    VariableName(variable);
    Hold(2 * sizeof(Signature::Item));
    items.push_back({variable.symbol.bytes, variable.symbol.align});
  });
  return items;
}

void Parser::Prototype(std::string_view name, const Token& token) {
  Signature signature;
  if (token_.Is('(')) signature.returns = PrototypeItems();
  Name("a function's name or '_'");
  if (token_.Is('(')) signature.parameters = PrototypeItems();
  Function ignored;
  FunctionAttributes(ignored);
  Expect(';');
  const auto id = static_cast<std::uint32_t>(signatures_.size());
  Declare(name, token, {EntityKind::kPrototype, id, 0});
  signatures_.push_back(std::move(signature));
}

// name: .branchtargets L1, L2;   or   name: .calltargets f, g;
void Parser::Targets(std::string_view name, const Token& token, bool calls) {
  std::vector<LabelUse> names;
  std::optional<std::uint32_t> signature;
  do {
    const Token at = token_;
    Hold(kHeldByLabelUse);
    names.push_back({{}, at, Name("a name")});
    if (!calls || failed()) continue;
    const Entity function = scopes_.Find(at.text);
    if (function.kind != EntityKind::kFunction) {
      return Fail(at, fmt::format("function '{}' is not declared", at.text));
    }
    if (signature) continue;
    signature = static_cast<std::uint32_t>(signatures_.size());
    const Function& callee = module_.functions[function.id];
    Hold((callee.parameters.size() + callee.returns.size()) * sizeof(Signature::Item));
    if (failed()) return;
    signatures_.push_back(SignatureOf(callee));
  } while (Take(','));
  Expect(';');
  Entity entity{EntityKind::kTargets, static_cast<std::uint32_t>(branch_targets_.size()), 0};
  if (signature) entity = {EntityKind::kPrototype, *signature, 0};
  Declare(name, token, entity);
  if (!calls) branch_targets_.push_back(std::move(names));
}

Signature Parser::SignatureOf(const Function& function) const {
  const auto items = [&](const std::vector<SymbolId>& symbols) {
    std::vector<Signature::Item> list;
    for (const SymbolId id : symbols) {
      list.push_back({module_.symbols[id].bytes, module_.symbols[id].align});
    }
    return list;
  };
  return {items(function.returns), items(function.parameters)};
}

}  // namespace warpcheck::ptx
