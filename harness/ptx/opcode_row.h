// A row of opcodes.def, read: what suffixes and operands an opcode takes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace warpcheck::ptx {

struct SuffixElement {
  void (*apply)(std::string_view suffix, Modifiers& modifiers) = nullptr;
  bool optional = false;
  bool is_type = false;
  std::vector<std::string_view> choices;
};

// The letters are those of opcodes.def.
struct OperandSlot {
  char role = 'a';
  bool second = false;  // "d|q"
  bool optional = false;
  char type_code = 't';  // t, s, w, or '=' for `type`
  Type type = Type::kNone;
};

struct OpcodeForm {
  std::vector<SuffixElement> suffixes;
  std::vector<OperandSlot> operands;
};

struct OpcodeRow {
  std::string_view mnemonic;
  bool executed = true;
  bool any_suffixes = false;
  std::string_view pattern;  // "mov", "call" and "..." are handled apart
  std::vector<OpcodeForm> forms;
};

const OpcodeRow& RowOf(Opcode opcode);

// The form that the suffixes fit, and what they say in `modifiers`; null when they fit none.
const OpcodeForm* MatchSuffixes(const OpcodeRow& row, const std::vector<std::string>& suffixes,
                                Modifiers& modifiers);

// Whether any form of the row has this suffix.
bool KnowsSuffix(const OpcodeRow& row, std::string_view suffix);

}  // namespace warpcheck::ptx
