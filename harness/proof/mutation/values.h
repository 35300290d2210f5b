// Declares the changes of values: numbers, names and indices.
#pragma once

#include "proof/mutation/mutant.h"

namespace warpcheck::mutation {

void ChangeNumbers(const Source& source, Mutants& mutants);  // 32 to 31 and 33, 0.5f to 0.6f
void ChangeNames(const Source& source, Mutants& mutants);    // threadIdx.x to threadIdx.y
void ShiftIndices(const Source& source, Mutants& mutants);   // a[i] to a[i + 1]
void ShiftLaunches(const Source& source, Mutants& mutants);  // <<<n, 32>>> to <<<n + 1, 32>>>

}  // namespace warpcheck::mutation
