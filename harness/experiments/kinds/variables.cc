// Proposes another variable of the same type: columns for rows, y for x.
#include <set>
#include <utility>

#include "experiments/site.h"

namespace warpcheck::experiments {

void ProposeVariables(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    const ptx::Operand& operand = one.operands[i];
    if (operand.kind != ptx::OperandKind::kRegister) continue;
    const auto& meaning = site.meanings[operand.reg];
    if (!meaning) continue;
    for (ptx::RegisterId other = 0; other < site.meanings.size(); ++other) {
      const auto& meant = site.meanings[other];
      if (other == operand.reg || !meant || meant->of != meaning->of) continue;
      if (meant->bytes != meaning->bytes) continue;
      if (meant->of == Meaning::Of::kPlace && meant->number >= site.at) continue;
      ptx::Instruction instead = one;
      instead.operands[i].reg = other;
      propose("another variable of this type", std::move(instead));
    }
  }
}

}  // namespace warpcheck::experiments
