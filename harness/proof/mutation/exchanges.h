// Declares the changes that exchange two parts of a program.
#pragma once

#include "proof/mutation/mutant.h"

namespace warpcheck::mutation {

void ExchangeListElements(const Source& source, Mutants& mutants);  // f(a, b) to f(b, a)
void ExchangeSubscripts(const Source& source, Mutants& mutants);    // a[i][j] to a[j][i]
void ExchangeVariables(const Source& source, Mutants& mutants);     // rows to cols

}  // namespace warpcheck::mutation
