// DeclarationReader reads what functions declare beside variables: attributes, registers,
// prototypes and lists of targets (PTX ISA, sections 5.2, 7 and 11.2 to 11.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/parser/variables.h"

namespace warpcheck::ptx {

class DeclarationReader : protected VariableReader {
 protected:
  using VariableReader::VariableReader;

  void FunctionAttributes(Function& function);
  std::uint32_t Threads();
  void DeclareRegisters();
  void AddRegisters(std::string_view name, Type type, const Token& token);
  void Prototype(std::string_view name, const Token& token);
  std::vector<Signature::Item> PrototypeItems();
  void Targets(std::string_view name, const Token& token, bool calls);

  // The numbers of a directive before the body of a function.
  std::optional<Error> attribute_error_;
};

}  // namespace warpcheck::ptx
