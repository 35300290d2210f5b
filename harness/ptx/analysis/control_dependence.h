// Finds the branches that decide whether an instruction is executed.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/work_budget.h"
#include "ptx/module.h"

namespace warpcheck::ptx {

// A branch that decides whether some instruction is executed.
struct Decision {
  std::uint32_t branch = 0;  // its index in the function
  bool of_loop = false;      // true if it also decides whether itself is executed again
};

// Returns the branches on which the instruction depends, in order: by one way from the branch the
// instruction is reached for certain, by another it may be left out. Branches on which such a
// branch depends itself are in the result too. The result is empty once `budget` is spent.
std::vector<Decision> DecisionsBefore(const Function& function, std::uint32_t instruction,
                                      WorkBudget& budget);

// Returns the comparisons (setp) whose results a predicate combines, through and, or, xor, not and
// mov, as indices of instructions, sorted. A predicate that several instructions write has none.
std::vector<std::uint32_t> ComparisonsOf(const Function& function, RegisterId predicate);

}  // namespace warpcheck::ptx
