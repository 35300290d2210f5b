// Declares the changes of statements: those that remove one, or decide when it runs.
#pragma once

#include "proof/mutation/mutant.h"

namespace warpcheck::mutation {

void RemoveStatements(const Source& source, Mutants& mutants);  // removes barriers, stores, returns
void DecideConditions(const Source& source, Mutants& mutants);  // if (a) to if (true)
void ShiftLoops(const Source& source, Mutants& mutants);        // i = 0 to 1, i += n to n + 1

}  // namespace warpcheck::mutation
