// VariableReader reads variables of the module and of functions, and parameters (PTX ISA,
// sections 5.4 and 11.6), with their initial values (5.4.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/parser/module_builder.h"

namespace warpcheck::ptx {

class VariableReader : protected ModuleBuilder {
 protected:
  struct Variable {
    std::string_view name;
    Token token;
    Symbol symbol;
    std::uint64_t element_bytes = 0;
    std::vector<std::uint64_t> dimensions;
    bool open = false;  // the first dimension is []
  };
  struct LinkWord {
    bool is_extern = false;
    bool visible = false;
  };
  struct PendingRelocation {
    SymbolId symbol = 0;
    std::size_t relocation = 0;
    Token token;
  };

  using ModuleBuilder::ModuleBuilder;

  void Linkage(LinkWord& link);
  bool VariableSpace(Space& space);
  void Variables(Space space, const LinkWord& link);
  Variable VariableHead(Space space);
  void VariableName(Variable& variable);
  void Dimensions(Variable& variable);
  SymbolId AddSymbol(Variable& variable);

  void Initializer(Variable& variable);
  std::uint64_t InitialList(Variable& variable, std::size_t level, std::uint64_t at, int depth);
  void InitialValue(Variable& variable, std::uint64_t at);
  void InitialAddress(Variable& variable, std::uint64_t at, std::optional<std::uint64_t> mask);
  void StoreInitial(Variable& variable, std::uint64_t at, std::uint64_t bits);

  std::vector<PendingRelocation> pending_relocations_;
  // The relocations of the current variable.
  std::vector<std::pair<std::size_t, Token>> unresolved_;
  // Says which bytes, from 0 to 7, of an address have been read, if it is written byte by byte.
  unsigned mask_bytes_ = 0;
  std::uint64_t variable_bytes_ = 0;
  std::uint64_t constant_bytes_ = 0;  // of those in constant memory
  std::uint64_t initial_bytes_ = 0;
};

}  // namespace warpcheck::ptx
