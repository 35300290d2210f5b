// The state of one run of ParseModule. Recursive descent over tokens; the first error is kept and
// turns every later token into the end, so that all loops stop and nobody has to pass it on.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/opcode_row.h"
#include "ptx/parser.h"

namespace warpcheck::ptx {

// An operand as written, with its names looked up but not yet held against an opcode.
struct WrittenOperand {
  Operand operand;  // kNone with a `name`: a name that is not declared (yet)
  Token token;      // where it starts
  std::string_view name;
  TokenKind literal = TokenKind::kEnd;  // of an immediate: kInteger, kFloat or kDouble
  std::vector<WrittenOperand> elements;
  std::vector<WrittenOperand> second;       // of "p|q": q
  std::vector<WrittenOperand> coordinates;  // of "[a, c]": c
};

// What a function or a .callprototype takes and gives.
struct Signature {
  struct Item {
    std::uint64_t bytes = 0;
    std::uint32_t align = 1;
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> returns, parameters;
  friend bool operator==(const Signature&, const Signature&) = default;
};

enum class EntityKind : std::uint8_t {
  kNone,       // not declared
  kRegister,   // id: RegisterId
  kRange,      // "%r<12>": id is the RegisterId of %r0; count
  kSymbol,     // id: SymbolId
  kFunction,   // id: FunctionId
  kTargets,    // id: index into Parser::branch_targets_
  kPrototype,  // id: index into Parser::signatures_
  kLabel,      // id: index of an instruction
};

struct Entity {
  EntityKind kind = EntityKind::kNone;
  std::uint32_t id = 0;
  std::uint32_t count = 0;
};

// What a name stands for, in nested scopes: the module, a function, the blocks in it.
class Scopes {
 public:
  Scopes() { Push(); }

  void Push() {
    scopes_.emplace_back();
    ranges_.emplace_back();
  }
  void Pop() {
    scopes_.pop_back();
    ranges_.pop_back();
  }

  // False when the innermost scope already has the name.
  bool Declare(std::string_view name, Entity entity) {
    return scopes_.back().emplace(name, entity).second;
  }
  bool DeclareRange(std::string_view prefix, Entity range) {
    return ranges_.back().emplace(prefix, range).second;
  }

  void DeclareAtModule(std::string_view name, Entity entity) {
    scopes_.front().emplace(name, entity);
  }
  Entity FindAtModule(std::string_view name) const { return In(scopes_.front(), name); }
  Entity FindInnermost(std::string_view name) const { return In(scopes_.back(), name); }
  // Of the innermost scope that has it. A register of a range comes as kRegister.
  Entity Find(std::string_view name) const;

 private:
  using Names = std::unordered_map<std::string_view, Entity>;

  static Entity In(const Names& names, std::string_view name) {
    const auto found = names.find(name);
    return found == names.end() ? Entity{} : found->second;
  }

  std::vector<Names> scopes_;
  std::vector<Names> ranges_;
};

class Parser {
 public:
  Parser(std::string_view text, std::string_view name, std::uint64_t most_held_bytes)
      : text_(text), name_(name), most_held_bytes_(most_held_bytes), lexer_(text) {}

  Result<Module> Run();

 private:
  // An opcode with its suffixes, as found once for each distinct text.
  struct ReadOpcode {
    Opcode opcode = {};
    const OpcodeForm* form = nullptr;  // null where the row takes any suffixes
    Modifiers modifiers;
  };
  struct Variable {
    std::string_view name;
    Token token;
    Symbol symbol;
    std::uint64_t element_bytes = 0;
    std::vector<std::uint64_t> dimensions;
    bool open = false;  // first dimension is []
  };
  struct OperandPlace {
    FunctionId function = 0;
    std::uint32_t instruction = 0;
    std::uint32_t operand = 0;
    std::uint32_t element = 0;
    bool in_vector = false;
  };
  struct LabelUse {
    OperandPlace place;
    Token token;
    std::string_view name;
  };
  struct CallCheck {
    OperandPlace place;
    Token token;
    std::optional<std::uint32_t> signature;  // of an indirect call
  };
  struct LinkWord {
    bool is_extern = false;
    bool visible = false;
  };

  // Where a statement starts, and how much there was before.
  struct Start {
    Lexer lexer;
    Token token;
    std::size_t label_uses = 0;
    std::size_t pending_symbols = 0;
    std::size_t calls = 0;
  };

  // Tokens and errors (parser.cc).
  void Advance();
  bool failed() const { return error_.has_value(); }
  void Fail(const Token& at, std::string message);
  // The same, for what no part of a module may have: a limit is passed.
  void FailForGood(const Token& at, std::string message);
  void Unexpected(const Token& at, std::string_view wanted);
  void Declare(std::string_view name, const Token& at, const Entity& entity);
  // Counts memory of the module before it is taken; fails where it is too much.
  void Hold(std::uint64_t bytes);
  void Expect(char punctuation);
  bool Take(char punctuation);
  bool TakeDotted(std::string_view name);
  std::string_view Name(std::string_view what);
  // Items with commas between them, up to `close`, which it takes.
  template <class Item>
  void List(char close, Item item) {
    while (!failed() && !token_.Is(close)) {
      item();
      if (!Take(',')) break;
    }
    Expect(close);
  }
  std::string_view LineAt(const Token& token) const;
  static std::string Shown(const Token& token);

  // Module (parser.cc, declarations.cc).
  void Header();
  void TopLevel();
  void FinishModule();
  void FileDirective();
  void SkipSection();
  void SkipToSemicolon();
  void Linkage(LinkWord& link);
  bool VariableSpace(Space& space);
  void Variables(Space space, const LinkWord& link);
  Variable VariableHead(Space space);
  void VariableName(Variable& variable);
  void Dimensions(Variable& variable);
  SymbolId AddSymbol(Variable& variable);

  // Initial values (declarations.cc).
  void Initializer(Variable& variable);
  std::uint64_t InitialList(Variable& variable, std::size_t level, std::uint64_t at, int depth);
  void InitialValue(Variable& variable, std::uint64_t at);
  void InitialAddress(Variable& variable, std::uint64_t at, std::optional<std::uint64_t> mask);
  void StoreInitial(Variable& variable, std::uint64_t at, std::uint64_t bits);
  std::int64_t Constant(int depth = 0);
  std::int64_t ConstantTerm(int depth);

  // Functions (functions.cc).
  void FunctionDirective(bool entry, const LinkWord& link);
  std::vector<SymbolId> Parameters(bool entry, FunctionId owner);
  void FunctionAttributes(Function& function);
  std::uint32_t Threads();
  void Body();
  void DeclareRegisters();
  void AddRegisters(std::string_view name, Type type, const Token& token);
  void Prototype(std::string_view name, const Token& token);
  std::vector<Signature::Item> PrototypeItems();
  void Targets(std::string_view name, const Token& token, bool calls);
  Signature SignatureOf(const Function& function) const;
  void OpenScope();
  void CloseScope();

  // Statements (statements.cc).
  void Statement();
  void Labeled(std::string_view name, const Token& token);
  void InstructionNamed(const Token& first, std::optional<Guard> guard);
  // Where reading what starts at `start` has failed: forgets what was read of it, goes on behind
  // it, and puts an unknown instruction in its place.
  Start Here() const;
  void Recover(const Start& start, std::optional<Guard> guard);
  void Refuse(Error error, std::optional<Guard> guard, std::uint32_t line);
  const ReadOpcode* OpcodeFrom(const Token& first, std::string_view text,
                               std::vector<std::string> words);
  void LocDirective();
  LocationId AddLocation(const Location& location);
  void CallInstruction(Instruction& instruction, const Token& token);
  Operand CallList(bool returns);
  void UseLabel(const WrittenOperand& written, OperandPlace place);
  void BranchTargets(Instruction& instruction, const WrittenOperand& written);

  // Operands (operands.cc).
  WrittenOperand ReadOperand(int depth = 0);
  void ReadNumber(WrittenOperand& written);
  void ReadName(WrittenOperand& written);
  void ReadSpecial(WrittenOperand& written);
  void ReadSelector(Operand& operand);
  void ReadAddress(WrittenOperand& written);
  void ReadVector(WrittenOperand& written, int depth);

  // Operands against the row (operand_check.cc, operand_kinds.cc).
  void CheckOperands(const ReadOpcode& read, std::vector<WrittenOperand>& written,
                     Instruction& instruction, const Token& token);
  void CheckSlot(const OperandSlot& slot, WrittenOperand& written, Instruction& instruction);
  void PushSecond(WrittenOperand& written, Instruction& instruction);
  void CheckMove(std::vector<WrittenOperand>& written, Instruction& instruction,
                 const Token& token);
  template <class Check>
  Operand CheckElements(WrittenOperand& written, Check check) {
    Operand vector;
    vector.kind = OperandKind::kVector;
    for (WrittenOperand& element : written.elements) {
      if (!failed()) vector.elements.push_back(check(element));
    }
    return vector;
  }
  Operand CheckPack(WrittenOperand& written, Type type, bool destination);
  Operand CheckVector(bool destination, WrittenOperand& written, const Instruction& instruction);
  Operand CheckTexture(WrittenOperand& written, const Instruction& instruction);
  Operand CheckGradient(WrittenOperand& written);
  Operand CheckFragment(WrittenOperand& written, const Instruction& instruction);
  Operand CheckAddress(WrittenOperand& written, const Instruction& instruction, Space space);
  Operand CheckDestination(WrittenOperand& written, Type type, bool wide, bool sink);
  Operand CheckSource(WrittenOperand& written, Type type, bool wide, bool negatable);
  Operand CheckImmediate(const WrittenOperand& written, Type type);
  Operand CheckSpecial(const WrittenOperand& written, Type type, bool wide);
  Operand CheckSymbol(WrittenOperand& written, Type type, const OperandPlace& place);
  void CheckRegister(const WrittenOperand& written, Type type, bool wide);
  void NotDeclared(const WrittenOperand& written);

  // What the whole module tells (parser.cc).
  void ResolvePending();
  void VerifyCalls();
  void VerifyList(const CallCheck& call, const Operand& passed,
                  const std::vector<Signature::Item>& items, std::string_view what);

  FunctionId current() const { return static_cast<FunctionId>(function_); }
  Function& function() { return module_.functions[function_]; }
  OperandPlace PlaceOf(const Instruction& instruction) {
    return {current(), static_cast<std::uint32_t>(function().body.size()),
            static_cast<std::uint32_t>(instruction.operands.size()), 0, false};
  }
  Operand& At(const OperandPlace& place);

  std::string_view text_;
  std::string_view name_;
  std::uint64_t most_held_bytes_;
  Lexer lexer_;
  Token token_;
  std::optional<Error> error_;
  bool failed_for_good_ = false;

  Module module_;
  Scopes scopes_;
  std::vector<Signature> signatures_;
  std::vector<std::vector<LabelUse>> branch_targets_;
  std::unordered_map<std::string_view, ReadOpcode> opcodes_;
  std::vector<CallCheck> calls_;
  std::vector<LabelUse> pending_symbols_;  // names that the module may declare later
  struct PendingRelocation {
    SymbolId symbol = 0;
    std::size_t relocation = 0;
    Token token;
  };
  std::vector<PendingRelocation> pending_relocations_;
  std::vector<std::pair<std::size_t, Token>> unresolved_;  // relocations of the current variable
  unsigned mask_bytes_ = 0;  // of the address being written byte by byte, 0 to 7
  std::uint64_t variable_bytes_ = 0;
  std::uint64_t initial_bytes_ = 0;
  std::size_t register_count_ = 0;
  std::size_t target_count_ = 0;
  std::vector<Token> file_uses_;  // one for each file index used, to say where
  std::vector<bool> files_declared_;

  // Of the function being read.
  std::optional<Error> attribute_error_;  // a directive before its body
  std::size_t function_ = 0;
  bool in_body_ = false;
  LocationId location_ = 0;
  std::vector<std::vector<LabelUse>> label_uses_;  // one list a scope
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, LocationId> places_;
  std::vector<std::uint16_t> inlining_;  // of each location: how many calls it is inlined in
};

}  // namespace warpcheck::ptx
