// What the addresses in a function's registers were made from, as far as its code tells: they are
// followed through sums, conversions and choices. Not through memory or calls.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "emulator/code/preparation.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

class AddressOrigins {
 public:
  // `counts`, which Find asks, names the symbols that are meant: variables, whose addresses the
  // code takes, and parameters of the kernel, which hold addresses.
  using Counts = std::function<bool(const ptx::Symbol&)>;
  AddressOrigins(const ptx::Module& module, Counts counts)
      : module_(module), counts_(std::move(counts)) {}

  // False where it takes more work than is left.
  bool Find(const ptx::Function& function, Preparation& preparation);

  // The symbols that an address in `reg` may be of; none where the code does not tell.
  const std::vector<ptx::SymbolId>& Of(ptx::RegisterId reg) const;

 private:
  struct Origin {
    // kUnset: no instruction has written it yet. kValue: a number, or an address from elsewhere.
    // kSymbols: an address of one of them. kAnything: an address that may be of any.
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
