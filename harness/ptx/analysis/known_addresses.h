// Finds the registers that hold an address which the code itself tells: that of a symbol, or one at
// a fixed distance from it. Such a register has one value for all threads and all times.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpcheck::ptx {

class KnownAddresses {
 public:
  // Looks at each instruction of the function twice.
  void Find(const Function& function);
  bool Has(RegisterId reg) const { return known_[reg]; }

 private:
  bool IsKnown(const Operand& operand) const;
  bool Makes(const Instruction& instruction) const;

  std::vector<bool> known_;
};

}  // namespace warpcheck::ptx
