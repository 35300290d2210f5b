#include "ptx/parser/parser.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "ptx/parser/functions.h"

namespace warpcheck::ptx {
namespace {

// The parser of a module. It is one object of several layers. Each layer is a class that adds what
// the layers above need: tokens, the module, variables, declarations, operands, statements,
// functions.
class Parser : protected FunctionReader {
 public:
  Parser(std::string_view text, std::string_view name, std::uint64_t most_held_bytes)
      : FunctionReader(text, name, most_held_bytes) {}

  Result<Module> Run();

 private:
  void Header();
  void TopLevel();
  void SkipSection();
  void FinishModule();
  // These functions verify what is known only when the whole module is read: names that were
  // declared late, and calls.
  void ResolvePending();
  void VerifyCalls();
  void VerifyList(const CallCheck& call, const Operand& passed,
                  const std::vector<Signature::Item>& items, std::string_view what);
};

Result<Module> Parser::Run() {
  module_.files.emplace_back();
  module_.locations.emplace_back();
  Advance();
  Header();
  while (token_.kind != TokenKind::kEnd) TopLevel();
  if (!failed()) FinishModule();
  if (failed()) return warpcheck::Fail(std::move(*error_));
  return std::move(module_);
}

void Parser::Header() {
  if (!TakeDotted(".version")) return Fail(token_, "PTX must start with .version");
  const Token version = token_;
  const std::size_t dot = version.text.find('.');
  const auto number = [](std::string_view text, std::uint32_t& value) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && end == text.data() + text.size();
  };
  if (dot == version.text.npos || !number(version.text.substr(0, dot), module_.version_major) ||
      !number(version.text.substr(dot + 1), module_.version_minor)) {
    return Unexpected(version, "a version such as 9.0");
  }
  if (module_.version_major < 6 || module_.version_major > 9) {
    return Fail(version, fmt::format("PTX ISA {} is not supported: 6.0 to 9.x are", version.text));
  }
  Advance();
  if (!TakeDotted(".target")) return Unexpected(token_, ".target");
  const Token target = token_;
  module_.target = Name("a target");
  if (!failed() && !target.text.starts_with("sm_")) {
    return Fail(target, fmt::format("target {} is not supported: sm_... is", Shown(target)));
  }
  while (Take(',')) Name("a target option");
  if (!TakeDotted(".address_size")) return Unexpected(token_, ".address_size 64");
  if (token_.kind != TokenKind::kInteger || token_.bits != 64) {
    return Fail(token_, fmt::format("address size {} is not supported: 64 is", Shown(token_)));
  }
  Advance();
}

void Parser::TopLevel() {
  if (TakeDotted(".file")) return FileDirective();
  if (TakeDotted(".section")) return SkipSection();
  if (TakeDotted(".pragma")) return SkipToSemicolon();
  if (Take(';')) return;
  LinkWord link;
  Linkage(link);
  if (TakeDotted(".entry")) return FunctionDirective(true, link);
  if (TakeDotted(".func")) return FunctionDirective(false, link);
  Space space = Space::kGlobal;
  if (VariableSpace(space)) return Variables(space, link);
  Unexpected(token_, "a declaration");
}

void Parser::SkipSection() {
  if (token_.kind == TokenKind::kDotted || token_.kind == TokenKind::kIdentifier) Advance();
  Expect('{');
  while (token_.kind != TokenKind::kEnd && !token_.Is('}')) Advance();
  Expect('}');
}

void Parser::FinishModule() {
  for (std::size_t i = 0; i < file_uses_.size(); ++i) {
    if (file_uses_[i].kind == TokenKind::kEnd) continue;
    if (i >= files_declared_.size() || !files_declared_[i]) {
      return Fail(file_uses_[i], fmt::format("file {} is not declared by a .file", i));
    }
  }
  for (Function& function : module_.functions) {
    if (function.body.empty() && function.ptx_line == 0) function.is_extern = true;
  }
  ResolvePending();
  VerifyCalls();
}

void Parser::ResolvePending() {
  for (const LabelUse& use : pending_symbols_) {
    const Entity entity = scopes_.FindAtModule(use.name);
    Operand& operand = At(use.place);
    const Instruction& instruction =
        module_.functions[use.place.function].body[use.place.instruction];
    const bool address = operand.kind == OperandKind::kAddress;
    if (entity.kind == EntityKind::kSymbol && instruction.opcode != Opcode::kCall) {
      operand.symbol = entity.id;
      if (!address) operand.kind = OperandKind::kSymbol;
      const Space space = module_.symbols[entity.id].space;
      if (address && space != instruction.modifiers.space) {
        return Fail(use.token, fmt::format("'{}' is a .{} variable", use.name, Text(space)));
      }
    } else if (entity.kind == EntityKind::kFunction && !address && operand.offset == 0) {
      operand.kind = OperandKind::kFunction;
      operand.function = entity.id;
    } else {
      return Fail(use.token, fmt::format("'{}' is not declared", use.name));
    }
  }
  for (const PendingRelocation& pending : pending_relocations_) {
    const Entity entity = scopes_.FindAtModule(pending.token.text);
    Symbol::Relocation& relocation =
        module_.symbols[pending.symbol].relocations[pending.relocation];
    if (entity.kind == EntityKind::kSymbol) {
      relocation.symbol = entity.id;
    } else if (entity.kind == EntityKind::kFunction) {
      relocation.function = entity.id;
    } else {
      return Fail(pending.token, fmt::format("'{}' is not declared", pending.token.text));
    }
  }
}

void Parser::VerifyCalls() {
  for (const CallCheck& call : calls_) {
    if (failed()) return;
    const Instruction& instruction =
        module_.functions[call.place.function].body[call.place.instruction];
    Signature signature;
    if (call.signature) {
      signature = signatures_[*call.signature];
    } else {
      const Function& callee = module_.functions[instruction.operands[1].function];
      if (callee.is_entry) {
        return Fail(call.token, fmt::format("'{}' is a kernel: it cannot be called", callee.name));
      }
      signature = SignatureOf(callee);
    }
    VerifyList(call, instruction.operands[0], signature.returns, "returns");
    VerifyList(call, instruction.operands[2], signature.parameters, "parameters");
  }
}

void Parser::VerifyList(const CallCheck& call, const Operand& passed,
                        const std::vector<Signature::Item>& items, std::string_view what) {
  if (passed.elements.size() != items.size()) {
    return Fail(call.token, fmt::format("the function has {} {}, the call has {}", items.size(),
                                        what, passed.elements.size()));
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Operand& one = passed.elements[i];
    std::uint64_t bytes = items[i].bytes;
    if (one.kind == OperandKind::kSymbol) bytes = module_.symbols[one.symbol].bytes;
    if (one.kind == OperandKind::kRegister) {
      bytes = Bytes(module_.functions[call.place.function].registers[one.reg].type);
    }
    if (bytes == items[i].bytes) continue;
    return Fail(call.token, fmt::format("number {} of the {} has {} bytes, the call's has {}",
                                        i + 1, what, items[i].bytes, bytes));
  }
}

}  // namespace

Result<Module> ParseModule(std::string_view text, std::string_view name,
                           std::uint64_t most_held_bytes) {
  if (text.size() > limits::kTextBytes) {
    return warpcheck::Fail(fmt::format("the PTX has {} bytes, and the limit is {} MiB", text.size(),
                                       limits::kTextBytes >> 20),
                           SourceLocation{std::string(name)});
  }
  while (text.ends_with('\0')) text.remove_suffix(1);  // fat binaries pad the text with zeros
  return Parser(text, name, most_held_bytes).Run();
}

}  // namespace warpcheck::ptx
