// OperandReader reads operands as they are written (PTX ISA, chapter 6).
#pragma once

#include <string_view>
#include <vector>

#include "ptx/parser/declarations.h"

namespace warpcheck::ptx {

// An operand as it is written. Its names are looked up, but the operand is not yet checked against
// an opcode.
struct WrittenOperand {
  Operand operand;  // kNone with a `name`, if the name is not declared (yet)
  Token token;      // the position where it begins
  std::string_view name;
  TokenKind literal = TokenKind::kEnd;  // one of kInteger, kFloat and kDouble, for an immediate
  std::vector<WrittenOperand> elements;
  std::vector<WrittenOperand> second;       // the q of "p|q"
  std::vector<WrittenOperand> coordinates;  // the c of "[a, c]"
};

class OperandReader : protected DeclarationReader {
 protected:
  using DeclarationReader::DeclarationReader;

  // Reads an operand. At depth 0 it may be a vector or an address, or have a '!' or a "|q".
  WrittenOperand ReadOperand(int depth = 0);
  void ReadNumber(WrittenOperand& written);
  void ReadName(WrittenOperand& written);
  void ReadSpecial(WrittenOperand& written);
  void ReadAddress(WrittenOperand& written);
  void ReadVector(WrittenOperand& written, int depth);
};

}  // namespace warpcheck::ptx
