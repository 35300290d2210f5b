#include "ptx/parser.h"

#include <fmt/format.h>

#include <charconv>

#include "ptx/parser_impl.h"

namespace warpcheck::ptx {

Result<Module> ParseModule(std::string_view text, std::string_view name,
                           std::uint64_t most_held_bytes) {
  if (text.size() > limits::kTextBytes) {
    return warpcheck::Fail(fmt::format("the PTX has {} bytes, and the limit is {} MiB", text.size(),
                                       limits::kTextBytes >> 20),
                           SourceLocation{std::string(name)});
  }
  while (text.ends_with('\0')) text.remove_suffix(1);  // as fat binaries pad it
  return Parser(text, name, most_held_bytes).Run();
}

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

void Parser::Advance() {
  if (failed()) return;
  token_ = lexer_.Next();
  if (token_.kind != TokenKind::kInvalid) return;
  Fail(token_, std::string(token_.text));
}

void Parser::Fail(const Token& at, std::string message) {
  if (failed()) return;
  if (message.size() > limits::kErrorBytes)
    message.replace(limits::kErrorBytes, message.npos, "...");
  error_ =
      Error{.message = std::move(message),
            .where = {std::string(name_), static_cast<int>(at.line), static_cast<int>(at.column)},
            .hint = std::string(LineAt(at))};
  token_ = Token{};
}

void Parser::FailForGood(const Token& at, std::string message) {
  if (!failed()) failed_for_good_ = true;
  Fail(at, std::move(message));
}

void Parser::Hold(std::uint64_t bytes) {
  module_.held_bytes += bytes;
  if (module_.held_bytes <= most_held_bytes_ || failed()) return;
  std::size_t instructions = 0;
  for (const Function& function : module_.functions) instructions += function.body.size();
  FailForGood(token_,
              fmt::format("this module would take more than {} MiB of the grader's memory: so far "
                          "it has {} functions, {} instructions, {} registers, {} variables and "
                          "parameters, and {} places of source code",
                          most_held_bytes_ >> 20, module_.functions.size(), instructions,
                          register_count_, module_.symbols.size(), module_.locations.size()));
}

std::string_view Parser::LineAt(const Token& token) const {
  std::string_view rest = text_;
  const char* const at = token.text.data();
  if (!token.text.empty() && at >= text_.data() && at < text_.data() + text_.size()) {
    // Without a look at all lines before: a module may have many errors.
    const auto before = static_cast<std::size_t>(at - text_.data());
    const std::size_t end = before == 0 ? text_.npos : text_.rfind('\n', before - 1);
    if (end != text_.npos) rest.remove_prefix(end + 1);
  } else {
    for (std::uint32_t line = 1; line < token.line; ++line) {
      rest.remove_prefix(rest.find('\n') + 1);
    }
  }
  rest = rest.substr(0, rest.find('\n'));
  while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
  rest = rest.substr(0, limits::kShownText);
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\r')) rest.remove_suffix(1);
  return rest;
}

std::string Parser::Shown(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the text";
  return fmt::format("'{}'", token.text.substr(0, limits::kShownText));
}

void Parser::Unexpected(const Token& at, std::string_view wanted) {
  Fail(at, fmt::format("expected {}, got {}", wanted, Shown(at)));
}

void Parser::Declare(std::string_view name, const Token& at, const Entity& entity) {
  if (!scopes_.Declare(name, entity)) Fail(at, fmt::format("'{}' is already declared", name));
}

void Parser::Expect(char punctuation) {
  if (Take(punctuation)) return;
  Unexpected(token_, fmt::format("'{}'", punctuation));
}

bool Parser::Take(char punctuation) {
  if (!token_.Is(punctuation)) return false;
  Advance();
  return true;
}

bool Parser::TakeDotted(std::string_view name) {
  if (!token_.IsDotted(name)) return false;
  Advance();
  return true;
}

std::string_view Parser::Name(std::string_view what) {
  if (token_.kind != TokenKind::kIdentifier) {
    Unexpected(token_, what);
    return {};
  }
  const std::string_view name = token_.text;
  Advance();
  return name;
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

void Parser::FileDirective() {
  const Token index = token_;
  if (index.kind != TokenKind::kInteger || index.bits >= limits::kFiles) {
    return Unexpected(index, "a file number");
  }
  Advance();
  if (token_.kind != TokenKind::kString) return Unexpected(token_, "a file name");
  if (token_.text.size() > limits::kPathBytes) {
    return Fail(token_, fmt::format("the name of file {} has {} bytes, and the limit is {}",
                                    index.bits, token_.text.size(), limits::kPathBytes));
  }
  Hold(token_.text.size());
  if (module_.files.size() <= index.bits) module_.files.resize(index.bits + 1);
  if (files_declared_.size() <= index.bits) files_declared_.resize(index.bits + 1);
  module_.files[index.bits] = token_.text;
  files_declared_[index.bits] = true;
  Advance();
  while (Take(',')) Constant();
}

void Parser::SkipSection() {
  if (token_.kind == TokenKind::kDotted || token_.kind == TokenKind::kIdentifier) Advance();
  Expect('{');
  while (token_.kind != TokenKind::kEnd && !token_.Is('}')) Advance();
  Expect('}');
}

void Parser::SkipToSemicolon() {
  while (token_.kind != TokenKind::kEnd && !token_.Is(';')) Advance();
  Expect(';');
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

// What can be verified only when the whole module is known: names declared late, and calls.

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

}  // namespace warpcheck::ptx
