#include "ptx/parser/declarations.h"

#include <fmt/format.h>

#include <utility>

#include "ptx/limits.h"

namespace warpcheck::ptx {
namespace {

constexpr std::uint64_t kHeldByLabelUse = 192;

}  // namespace

void DeclarationReader::FunctionAttributes(Function& function) {
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

std::uint32_t DeclarationReader::Threads() {
  std::uint64_t product = 1;
  const Token at = token_;
  do {
    const auto size = static_cast<std::uint64_t>(Constant());
    if (size == 0 || size > 1024 / product) {
      Fail(at, "a block has 1 to 1024 threads");
      return 0;
    }
    product *= size;
  } while (Take(','));
  return static_cast<std::uint32_t>(product);
}

void DeclarationReader::DeclareRegisters() {
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

void DeclarationReader::AddRegisters(std::string_view name, Type type, const Token& token) {
  if (failed()) return;
  std::vector<Register>& registers = function().registers;
  const auto first = static_cast<RegisterId>(registers.size());
  std::uint64_t count = 1;
  const bool range = Take('<');
  if (range) {
    count = static_cast<std::uint64_t>(Constant());
    Expect('>');
  }
  if (count > limits::kRegisters - register_count_) {
    return FailForGood(token, fmt::format("more than {} registers", limits::kRegisters));
  }
  register_count_ += count;
  const auto held = static_cast<std::uint32_t>(count);
  // Counts the memory for the register: its name, its place in a frame, and what analyses keep of
  // it.
  Hold(held * (2 * sizeof(Register) + name.size() + 64));
  if (failed()) return;
  const bool fresh = range ? scopes_.DeclareRange(name, {EntityKind::kRange, first, held})
                           : scopes_.Declare(name, {EntityKind::kRegister, first, 0});
  if (!fresh) return Fail(token, fmt::format("'{}' is already declared", name));
  for (std::uint32_t i = 0; i < held; ++i) {
    registers.push_back({range ? fmt::format("{}{}", name, i) : std::string(name), type});
  }
}

void DeclarationReader::Prototype(std::string_view name, const Token& token) {
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

std::vector<Signature::Item> DeclarationReader::PrototypeItems() {
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

// Reads "name: .branchtargets L1, L2;" or "name: .calltargets f, g;".
void DeclarationReader::Targets(std::string_view name, const Token& token, bool calls) {
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

}  // namespace warpcheck::ptx
