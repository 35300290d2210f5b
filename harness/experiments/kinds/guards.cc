// Proposes that a condition holds always, or never.
#include "experiments/site.h"

namespace warpcheck::experiments {

void ProposeGuards(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  if (!one.guard) return;
  propose("without this condition", Nothing(site));
  ptx::Instruction always = one;
  always.guard.reset();
  propose("without this condition", std::move(always));
}

void ProposeNoBarriers(const Site& site, const Propose& propose) {
  const ptx::Opcode opcode = site.instruction().opcode;
  if (opcode != ptx::Opcode::kBar && opcode != ptx::Opcode::kBarrier) return;
  propose("without this barrier", Nothing(site));
}

}  // namespace warpcheck::experiments
