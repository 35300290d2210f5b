#include "ptx/parser/statements.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "ptx/limits.h"

namespace warpcheck::ptx {
namespace {

// The memory that the parts of a module take while it is read.
constexpr std::uint64_t kHeldByName = 128;      // a label, with its entry among the names
constexpr std::uint64_t kHeldByLocation = 128;  // a location, with its entry in places_
constexpr std::uint64_t kHeldByOpcode = 512;    // a distinct text of an opcode, with its suffixes

std::uint64_t HeldBy(const std::vector<Operand>& operands) {
  std::uint64_t bytes = operands.capacity() * sizeof(Operand);
  for (const Operand& operand : operands) bytes += HeldBy(operand.elements);
  return bytes;
}

}  // namespace

void StatementReader::Statement() {
  if (Take(';')) return;
  if (token_.kind == TokenKind::kDotted) {
    const Start start = Here();
    if (TakeDotted(".reg")) {
      DeclareRegisters();
      return Recover(start, std::nullopt);
    }
    if (TakeDotted(".loc")) return LocDirective();
    if (TakeDotted(".pragma")) return SkipToSemicolon();
    if (TakeDotted(".file")) return FileDirective();
    LinkWord link;
    Linkage(link);
    Space space = Space::kGlobal;
    if (VariableSpace(space)) return Variables(space, link);
    Fail(token_, fmt::format("unknown directive {}", Shown(token_)));
    return Recover(start, std::nullopt);
  }
  std::optional<Guard> guard;
  if (Take('@')) {
    guard.emplace();
    guard->negated = Take('!');
    WrittenOperand predicate = ReadOperand();
    if (failed()) return;
    if (predicate.operand.kind == OperandKind::kNone) return NotDeclared(predicate);
    if (predicate.operand.kind != OperandKind::kRegister ||
        function().registers[predicate.operand.reg].type != Type::kPred) {
      return Fail(predicate.token,
                  fmt::format("{} is not a predicate register", Shown(predicate.token)));
    }
    guard->predicate = predicate.operand.reg;
  }
  const Start start = Here();
  const Token first = token_;
  const std::string_view name = Name("an instruction");
  if (failed()) return;
  if (!guard && Take(':')) return Labeled(name, first);
  InstructionNamed(first, guard);
  Recover(start, guard);
}

StatementReader::Start StatementReader::Here() const {
  return {.lexer = lexer_,
          .token = token_,
          .label_uses = label_uses_.back().size(),
          .pending_symbols = pending_symbols_.size(),
          .calls = calls_.size()};
}

void StatementReader::Recover(const Start& start, std::optional<Guard> guard) {
  if (!failed() || failed_for_good_) return;
  Error error = *std::exchange(error_, std::nullopt);
  lexer_ = start.lexer;
  token_ = start.token;
  label_uses_.back().resize(start.label_uses);
  pending_symbols_.resize(start.pending_symbols);
  calls_.resize(start.calls);
  const bool directive = token_.kind == TokenKind::kDotted;
  // The braces of a vector belong to the statement. A directive may end without a semicolon.
  int depth = 0;
  while (token_.kind != TokenKind::kEnd && !token_.Is(';')) {
    if (directive && token_.line != start.token.line) break;
    if (token_.Is('{')) ++depth;
    if (token_.Is('}') && --depth < 0) break;
    Advance();
  }
  Take(';');
  Refuse(std::move(error), guard, start.token.line);
}

void StatementReader::Refuse(Error error, std::optional<Guard> guard, std::uint32_t line) {
  Hold(sizeof(Error) + error.message.size() + error.hint.size() + error.where.file.size() +
       2 * sizeof(Instruction));
  if (failed()) return;
  Instruction instruction;
  instruction.opcode = Opcode::kUnknown;
  instruction.guard = guard;
  instruction.location = location_;
  instruction.ptx_line = line;
  instruction.refusal = static_cast<std::uint32_t>(module_.refusals.size());
  module_.refusals.push_back(std::move(error));
  function().body.push_back(std::move(instruction));
}

void StatementReader::Labeled(std::string_view name, const Token& token) {
  if (TakeDotted(".callprototype")) return Prototype(name, token);
  if (TakeDotted(".branchtargets")) return Targets(name, token, false);
  if (TakeDotted(".calltargets")) return Targets(name, token, true);
  Hold(kHeldByName);
  const auto next = static_cast<std::uint32_t>(function().body.size());
  Declare(name, token, {EntityKind::kLabel, next, 0});
}

void StatementReader::InstructionNamed(const Token& first, std::optional<Guard> guard) {
  std::string_view text = first.text;
  std::vector<std::string> words{std::string(first.text)};
  while (token_.kind == TokenKind::kDotted && token_.glued) {
    text = {text.data(),
            static_cast<std::size_t>(token_.text.data() + token_.text.size() - text.data())};
    words.emplace_back(token_.text.substr(1));
    if (words.size() > limits::kSuffixes) return Fail(first, "too many suffixes");
    Advance();
  }
  if (failed()) return;
  const ReadOpcode* read = OpcodeFrom(first, text, std::move(words));
  if (read == nullptr) return;
  Instruction instruction;
  instruction.opcode = read->opcode;
  instruction.modifiers = read->modifiers;
  instruction.guard = guard;
  instruction.location = location_;
  instruction.ptx_line = first.line;
  instruction.from_asm = first.in_asm;
  const std::string_view pattern = RowOf(read->opcode).pattern;
  if (pattern == "...") {
    SkipToSemicolon();
  } else if (pattern == "call") {
    CallInstruction(instruction, first);
  } else {
    std::vector<WrittenOperand> written;
    List(';', [&] {
      written.push_back(ReadOperand());
      if (written.size() > limits::kOperands) Fail(first, "too many operands");
    });
    if (!failed()) CheckOperands(*read, written, instruction, first);
  }
  // While the list of instructions grows, it is in memory twice.
  Hold(2 * sizeof(Instruction) + HeldBy(instruction.operands));
  if (!failed()) function().body.push_back(std::move(instruction));
}

// Finds the opcode with the longest mnemonic: cp.async.wait_group wins over cp.async.
const ReadOpcode* StatementReader::OpcodeFrom(const Token& first, std::string_view text,
                                              std::vector<std::string> words) {
  if (const auto known = opcodes_.find(text); known != opcodes_.end()) return &known->second;
  std::optional<Opcode> opcode;
  std::size_t used = 0;
  std::string mnemonic;
  for (std::size_t i = 0; i < words.size() && i < 4; ++i) {
    mnemonic += (i == 0 ? "" : ".") + words[i];
    if (const auto longer = OpcodeNamed(mnemonic)) {
      opcode = longer;
      used = i + 1;
    }
  }
  const std::string_view shown = text.substr(0, limits::kShownText);
  if (!opcode) {
    Fail(first, fmt::format("unknown opcode '{}'", shown));
    return nullptr;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(used));
  const OpcodeRow& row = RowOf(*opcode);
  ReadOpcode read{*opcode, nullptr, {}};
  if (!row.any_suffixes) {
    read.form = MatchSuffixes(row, words, read.modifiers);
    for (const std::string& word : words) {
      if (read.form != nullptr || KnowsSuffix(row, word)) continue;
      Fail(first, fmt::format("'{}' does not take the suffix '.{}'", row.mnemonic,
                              word.substr(0, limits::kShownText)));
      return nullptr;
    }
    if (read.form == nullptr) {
      Fail(first, fmt::format("the suffixes of '{}' are incomplete or do not go together", shown));
      return nullptr;
    }
  }
  Hold(kHeldByOpcode + text.size() + words.size() * sizeof(std::string));
  read.modifiers.suffixes = Suffixes(std::move(words));
  return &opcodes_.emplace(text, std::move(read)).first->second;
}

void StatementReader::LocDirective() {
  const auto number = [&](std::string_view what) -> std::uint32_t {
    if (token_.kind != TokenKind::kInteger || token_.bits > 0x7FFFFFFF) {
      Unexpected(token_, what);
      return 0;
    }
    const auto value = static_cast<std::uint32_t>(token_.bits);
    Advance();
    return value;
  };
  const auto place = [&] {
    const Token file = token_;
    Location location;
    location.file = number("a file number");
    if (location.file >= limits::kFiles) Fail(file, "file number is too large");
    location.line = number("a line");
    location.column = number("a column");
    if (failed()) return location;
    if (file_uses_.size() <= location.file) file_uses_.resize(location.file + 1);
    if (file_uses_[location.file].kind == TokenKind::kEnd) file_uses_[location.file] = file;
    return location;
  };
  Location location = place();
  while (Take(',')) {
    const Token word = token_;
    const std::string_view name = Name("function_name or inlined_at");
    if (name == "function_name") {
      Name("a label");
      if (Take('+')) Constant();
    } else if (name == "inlined_at") {
      const Location at = place();
      if (failed() || at.line == 0) continue;
      LocationId& known = places_[{at.file, at.line, at.column}];
      if (known == 0) known = AddLocation(at);
      location.inlined_at = known;
    } else {
      Unexpected(word, "function_name or inlined_at");
    }
  }
  if (failed() || location.line == 0) return;
  // After code of line 0 nvcc names the place before it once more, but no longer says by which call
  // it was inlined.
  const Location& last = module_.locations[location_];
  const bool again = std::tie(last.file, last.line, last.column) ==
                     std::tie(location.file, location.line, location.column);
  if (again && location.inlined_at == 0) return;
  location_ = AddLocation(location);
  places_[{location.file, location.line, location.column}] = location_;
}

LocationId StatementReader::AddLocation(const Location& location) {
  Hold(kHeldByLocation);
  const auto id = static_cast<LocationId>(module_.locations.size());
  inlining_.resize(id + 1);
  if (location.inlined_at != 0) inlining_[id] = inlining_[location.inlined_at] + 1;
  if (inlining_[id] > limits::kInlining) {
    Fail(token_, fmt::format("code is inlined more than {} calls deep", limits::kInlining));
  }
  module_.locations.push_back(location);
  return id;
}

// Reads "(a, b)", the returns or the arguments of a call.
Operand StatementReader::CallList(bool returns) {
  Operand list;
  list.kind = OperandKind::kVector;
  Expect('(');
  List(')', [&] {
    WrittenOperand one = ReadOperand(limits::kNesting);
    if (failed()) return;
    const OperandKind kind = one.operand.kind;
    if (kind == OperandKind::kNone) {
      NotDeclared(one);
    } else if (kind == OperandKind::kSymbol) {
      if (one.operand.offset != 0 || module_.symbols[one.operand.symbol].space != Space::kParam) {
        Fail(one.token, fmt::format("'{}' is not a .param variable", one.name));
      }
    } else if (kind != OperandKind::kRegister && (kind != OperandKind::kImmediate || returns)) {
      Fail(one.token, fmt::format("{} cannot be passed", Shown(one.token)));
    }
    Hold(2 * sizeof(Operand));
    if (!failed()) list.elements.push_back(std::move(one.operand));
  });
  return list;
}

void StatementReader::CallInstruction(Instruction& instruction, const Token& token) {
  Operand returns;
  returns.kind = OperandKind::kVector;
  Operand arguments = returns;
  if (token_.Is('(')) {
    returns = CallList(true);
    Expect(',');
  }
  WrittenOperand callee = ReadOperand(limits::kNesting);
  const bool indirect = callee.operand.kind == OperandKind::kRegister;
  std::optional<std::uint32_t> signature;
  if (token_.Is(',')) {
    Advance();
    const bool some = token_.Is('(');
    if (some) arguments = CallList(false);
    if (indirect && (!some || Take(','))) {
      const Token at = token_;
      const Entity entity = scopes_.Find(Name("a prototype"));
      if (entity.kind != EntityKind::kPrototype) {
        return Fail(at, fmt::format("{} is not a .callprototype or .calltargets", Shown(at)));
      }
      signature = entity.id;
    } else if (!some) {
      Unexpected(token_, "'('");
    }
  }
  Expect(';');
  if (failed()) return;
  OperandPlace place = PlaceOf(instruction);
  place.operand = 1;
  if (indirect) {
    CheckRegister(callee, Type::kB64, false);
    if (!signature) return Fail(token, "an indirect call needs a prototype");
  } else if (callee.operand.kind == OperandKind::kNone && !callee.name.empty()) {
    pending_symbols_.push_back({place, callee.token, callee.name});
  } else if (callee.operand.kind != OperandKind::kFunction) {
    return Fail(callee.token, fmt::format("{} is not a function", Shown(callee.token)));
  }
  Hold(2 * (sizeof(CallCheck) + sizeof(LabelUse)));
  calls_.push_back({place, token, signature});
  instruction.operands.push_back(std::move(returns));
  instruction.operands.push_back(std::move(callee.operand));
  instruction.operands.push_back(std::move(arguments));
}

}  // namespace warpcheck::ptx
