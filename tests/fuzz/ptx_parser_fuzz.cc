// This fuzzer (libFuzzer) parses any text as PTX. The parser must not crash, and a module that it
// accepts must be consistent.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "ptx/parser/parser.h"

namespace {

using warpcheck::ptx::Function;
using warpcheck::ptx::Module;
using warpcheck::ptx::Operand;
using warpcheck::ptx::OperandKind;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckOperand(const Module& module, const Function& function, const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::kRegister:
      return Require(operand.reg < function.registers.size());
    case OperandKind::kSymbol:
      return Require(operand.symbol < module.symbols.size());
    case OperandKind::kFunction:
      return Require(operand.function < module.functions.size());
    case OperandKind::kLabel:
      return Require(operand.target <= function.body.size());
    case OperandKind::kVector:
      for (const Operand& element : operand.elements) CheckOperand(module, function, element);
      return;
    case OperandKind::kAddress:
      if (operand.base == warpcheck::ptx::AddressBase::kRegister) {
        Require(operand.reg < function.registers.size());
      } else if (operand.base == warpcheck::ptx::AddressBase::kSymbol) {
        Require(operand.symbol < module.symbols.size());
      }
      return;
    default:
      return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto module =
      warpcheck::ptx::ParseModule({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!module) return 0;
  for (const Function& function : module->functions) {
    for (const auto& instruction : function.body) {
      Require(instruction.location < module->locations.size());
      for (const Operand& operand : instruction.operands) CheckOperand(*module, function, operand);
    }
  }
  for (const auto& location : module->locations) Require(location.file < module->files.size());
  for (const auto& symbol : module->symbols) {
    Require(symbol.initial.empty() || symbol.initial.size() == symbol.bytes);
    for (const auto& relocation : symbol.relocations) {
      Require(relocation.at + 8 <= symbol.bytes);
      Require(relocation.symbol.has_value() != relocation.function.has_value());
    }
  }
  return 0;
}
