// This is the grammar of opcodes: the rows of opcodes.def as data, which say what suffixes and
// operands each opcode takes. The compiler reads the rows, so that a mistake in a row does not
// compile.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::ptx {

// One element of a suffix form: a choice of suffixes.
struct SuffixElement {
  void (*apply)(std::string_view suffix, Modifiers& modifiers) = nullptr;
  bool optional = false;
  bool is_type = false;
  std::span<const std::string_view> choices;
};

// One element of an operand pattern. opcodes.def explains the letters.
struct OperandSlot {
  char role = 'a';
  bool second = false;  // true for "d|q"
  bool optional = false;
  char type_code = 't';  // one of t, s and w, or '=' for `type`
  Type type = Type::kNone;
};

// A suffix form with its operand pattern.
struct OpcodeForm {
  std::span<const SuffixElement> suffixes;
  std::span<const OperandSlot> operands;
};

struct OpcodeRow {
  std::string_view mnemonic;
  bool executed = true;
  bool any_suffixes = false;
  std::string_view
      pattern;  // the operand patterns; the parser handles "mov", "call" and "..." itself
  std::span<const OpcodeForm> forms;
};

const OpcodeRow& RowOf(Opcode opcode);

// Returns the form that the suffixes fit, and sets `modifiers` to what they say. Returns null if
// they fit none.
const OpcodeForm* MatchSuffixes(const OpcodeRow& row, const std::vector<std::string>& suffixes,
                                Modifiers& modifiers);

// Returns true if any form of the row has this suffix.
bool KnowsSuffix(const OpcodeRow& row, std::string_view suffix);

}  // namespace warpcheck::ptx
