// Finds the symbols from which the addresses in a function's registers were made. It follows them
// through sums, conversions and choices, but not through memory or calls.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "ptx/analysis/work_budget.h"
#include "ptx/module.h"

namespace warpcheck::ptx {

class AddressOrigins {
 public:
  // `counts` returns true for the symbols to look for: variables, whose addresses the code takes,
  // and parameters of the kernel, which hold addresses. Find calls it.
  using Counts = std::function<bool(const Symbol&)>;
  AddressOrigins(const Module& module, Counts counts)
      : module_(module), counts_(std::move(counts)) {}

  // Analyses a function. Returns false if that takes more work than is left.
  bool Find(const Function& function, WorkBudget& budget);

  // Returns the symbols that an address in `reg` may belong to; none if the code does not tell.
  const std::vector<SymbolId>& Of(RegisterId reg) const;

 private:
  struct Origin {
    // kUnset: no instruction has written the register yet. kValue: the register has a number, or an
    // address from elsewhere. kSymbols: it has an address of one of `symbols`. kAnything: it has an
    // address of any symbol.
    enum class Kind : std::uint8_t { kUnset, kValue, kSymbols, kAnything };
    Kind kind = Kind::kUnset;
    std::vector<SymbolId> symbols;  // sorted

    friend bool operator==(const Origin&, const Origin&) = default;
  };

  static Origin Either(const Origin& a, const Origin& b);
  static Origin Sum(const Origin& a, const Origin& b);
  Origin OfSymbol(SymbolId symbol) const;
  Origin OfOperand(const Operand& operand) const;
  Origin OfLoad(const Instruction& instruction) const;
  Origin OfResult(const Instruction& instruction) const;
  Origin OfOther(const Instruction& instruction) const;
  bool Visit(const Instruction& instruction);

  const Module& module_;
  Counts counts_;
  std::vector<Origin> registers_;
};

}  // namespace warpcheck::ptx
