// Finds what the addresses in a function's registers were made from. They are followed through
// sums, conversions and choices, but not through memory or calls.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "emulator/decode/preparation.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class AddressOrigins {
 public:
  // `counts` returns true for the symbols to look for: variables, whose addresses the code takes,
  // and parameters of the kernel, which hold addresses. Find calls it.
  using Counts = std::function<bool(const ptx::Symbol&)>;
  AddressOrigins(const ptx::Module& module, Counts counts)
      : module_(module), counts_(std::move(counts)) {}

  // Analyses a function. Returns false if that takes more work than is left.
  bool Find(const ptx::Function& function, Preparation& preparation);

  // Returns the symbols that an address in `reg` may belong to; none if the code does not tell.
  const std::vector<ptx::SymbolId>& Of(ptx::RegisterId reg) const;

 private:
  struct Origin {
    // kUnset: no instruction has written the register yet. kValue: it holds a number, or an address
    // from elsewhere. kSymbols: an address of one of `symbols`. kAnything: an address of any
    // symbol.
    enum class Kind : std::uint8_t { kUnset, kValue, kSymbols, kAnything };
    Kind kind = Kind::kUnset;
    std::vector<ptx::SymbolId> symbols;  // sorted

    friend bool operator==(const Origin&, const Origin&) = default;
  };

  static Origin Either(const Origin& a, const Origin& b);
  static Origin Sum(const Origin& a, const Origin& b);
  Origin OfSymbol(ptx::SymbolId symbol) const;
  Origin OfOperand(const ptx::Operand& operand) const;
  Origin OfLoad(const ptx::Instruction& instruction) const;
  Origin OfResult(const ptx::Instruction& instruction) const;
  Origin OfOther(const ptx::Instruction& instruction) const;
  bool Visit(const ptx::Instruction& instruction);

  const ptx::Module& module_;
  Counts counts_;
  std::vector<Origin> registers_;
};

}  // namespace warpcheck::emulator
