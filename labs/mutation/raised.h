// Whether a change of a program got it points.
#pragma once

#include <string>
#include <vector>

#include "labs/mutation/run.h"

namespace warpcheck::mutation {

// A criterion that does not judge work rose: the program computes something else now. A race that
// is gone with a block's second thread makes a wrong program right.
bool Repaired(const std::vector<CriterionPoints>& before,
              const std::vector<CriterionPoints>& after);

// ptxas keeps in registers what it had in local memory before: a loop that does more is not
// unrolled any more, and needs fewer of them. That is other code with less traffic, and criteria of
// local memory may rise.
bool NeedsLessLocalMemory(const Grading& before, const Grading& after);

// Which criterion rose that had been judged, or the sum of all; empty where none did.
std::string Raised(const Grading& before, const Grading& after);

}  // namespace warpcheck::mutation
