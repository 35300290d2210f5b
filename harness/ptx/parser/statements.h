// StatementReader reads the statements of a body: labels, declarations, .loc, instructions (PTX
// ISA, sections 4.3 and 11.5).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ptx/parser/operand_check.h"

namespace warpcheck::ptx {

class StatementReader : protected OperandCheck {
 protected:
  // The beginning of a statement, and how much the module had before it.
  struct Start {
    Lexer lexer;
    Token token;
    std::size_t label_uses = 0;
    std::size_t pending_symbols = 0;
    std::size_t calls = 0;
  };

  using OperandCheck::OperandCheck;

  void Statement();
  void Labeled(std::string_view name, const Token& token);
  void InstructionNamed(const Token& first, std::optional<Guard> guard);
  Start Here() const;
  // Call this if reading the statement that begins at `start` has failed. It forgets what was read
  // of the statement, skips the statement, and puts an unknown instruction in its place.
  void Recover(const Start& start, std::optional<Guard> guard);
  void Refuse(Error error, std::optional<Guard> guard, std::uint32_t line);
  const ReadOpcode* OpcodeFrom(const Token& first, std::string_view text,
                               std::vector<std::string> words);
  void LocDirective();
  LocationId AddLocation(const Location& location);
  void CallInstruction(Instruction& instruction, const Token& token);
  Operand CallList(bool returns);

  std::unordered_map<std::string_view, ReadOpcode> opcodes_;
  LocationId location_ = 0;  // in the function that is being read
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, LocationId> places_;
  std::vector<std::uint16_t> inlining_;  // how many calls deep the code of each location is inlined
};

}  // namespace warpcheck::ptx
