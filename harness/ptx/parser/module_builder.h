// ModuleBuilder is the part of the parser that has the module while it is read, with everything
// that is resolved later: uses of labels, of symbols and of functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "ptx/parser/scopes.h"
#include "ptx/parser/token_reader.h"

namespace warpcheck::ptx {

// The parameters and returns of a function or of a .callprototype.
struct Signature {
  struct Item {
    std::uint64_t bytes = 0;
    std::uint32_t align = 1;
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> returns, parameters;
  friend bool operator==(const Signature&, const Signature&) = default;
};

class ModuleBuilder : protected TokenReader {
 protected:
  // The place of an operand, or of one of its elements, in the module.
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
    std::optional<std::uint32_t> signature;  // set for an indirect call
  };

  ModuleBuilder(std::string_view text, std::string_view name, std::uint64_t most_held_bytes)
      : TokenReader(text, name), most_held_bytes_(most_held_bytes) {}

  void Declare(std::string_view name, const Token& at, const Entity& entity);
  // Counts memory of the module before it is allocated, and fails if it is too much.
  void Hold(std::uint64_t bytes);
  void FileDirective();
  Signature SignatureOf(const Function& function) const;

  FunctionId current() const { return static_cast<FunctionId>(function_); }
  Function& function() { return module_.functions[function_]; }
  // Returns the place of the next operand of the instruction that is being read.
  OperandPlace PlaceOf(const Instruction& instruction) {
    return {current(), static_cast<std::uint32_t>(function().body.size()),
            static_cast<std::uint32_t>(instruction.operands.size()), 0, false};
  }
  Operand& At(const OperandPlace& place);

  std::uint64_t most_held_bytes_;
  Module module_;
  Scopes scopes_;
  std::size_t function_ = 0;  // the function that is being read
  bool in_body_ = false;
  std::size_t register_count_ = 0;
  std::vector<Signature> signatures_;
  std::vector<std::vector<LabelUse>> branch_targets_;
  std::vector<std::vector<LabelUse>> label_uses_;  // one list for each scope
  std::vector<CallCheck> calls_;
  std::vector<LabelUse> pending_symbols_;  // names that the module may declare later
  std::vector<Token> file_uses_;           // the token of the first use of each file index
  std::vector<bool> files_declared_;
};

}  // namespace warpcheck::ptx
