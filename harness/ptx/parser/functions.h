// FunctionReader reads .entry and .func with their parameters and bodies (PTX ISA, sections 7
// and 11.2).
#pragma once

#include <vector>

#include "ptx/parser/statements.h"

namespace warpcheck::ptx {

class FunctionReader : protected StatementReader {
 protected:
  using StatementReader::StatementReader;

  void FunctionDirective(bool entry, const LinkWord& link);
  std::vector<SymbolId> Parameters(bool entry, FunctionId owner);
  void Body();
  void OpenScope();
  void CloseScope();
};

}  // namespace warpcheck::ptx
