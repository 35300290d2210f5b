// Decides whether a change of a program raised its score.
#pragma once

#include <string>
#include <vector>

#include "proof/mutation/run.h"

namespace warpcheck::mutation {

// Returns true if a criterion rose that does not judge work, because then the program computes
// something else. For example, a race disappears if a block has only one thread.
bool Repaired(const std::vector<CriterionPoints>& before,
              const std::vector<CriterionPoints>& after);

// Returns true if ptxas keeps data in registers that were in local memory before. For example, a
// loop that does more may no longer be unrolled, and then needs fewer registers. This is different
// code with less traffic, so criteria of local memory may rise.
bool NeedsLessLocalMemory(const Grading& before, const Grading& after);

// Returns the name of the first judged criterion that rose, or a name for the sum of all criteria
// if only that rose; empty if nothing rose.
std::string Raised(const Grading& before, const Grading& after);

}  // namespace warpcheck::mutation
