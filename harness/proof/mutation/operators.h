// Declares the changes of operators.
#pragma once

#include "proof/mutation/mutant.h"

namespace warpcheck::mutation {

void ChangeOperators(const Source& source, Mutants& mutants);  // < to <=, + to -, += to =
void DropOperands(const Source& source, Mutants& mutants);     // a && b to a, and to b
void DropSigns(const Source& source, Mutants& mutants);        // -a to a, !a to a

}  // namespace warpcheck::mutation
