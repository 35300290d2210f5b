// This header declares the kinds of changes. Each is a typical slip. Mutants that do not compile
// are not counted.
#pragma once

#include <array>

#include "labs/mutation/mutant.h"

namespace warpcheck::mutation {

using Mutator = void (*)(const Source& source, Mutants& mutants);

// These functions are in operators.cc.
void ChangeOperators(const Source& source, Mutants& mutants);  // < to <=, + to -, += to =
void DropOperands(const Source& source, Mutants& mutants);     // a && b to a, and to b
void DropSigns(const Source& source, Mutants& mutants);        // -a to a, !a to a

// These functions are in values.cc.
void ChangeNumbers(const Source& source, Mutants& mutants);  // 32 to 31 and 33, 0.5f to 0.6f
void ChangeNames(const Source& source, Mutants& mutants);    // threadIdx.x to threadIdx.y
void ShiftIndices(const Source& source, Mutants& mutants);   // a[i] to a[i + 1]
void ShiftLaunches(const Source& source, Mutants& mutants);  // <<<n, 32>>> to <<<n + 1, 32>>>

// These functions are in statements.cc.
void RemoveStatements(const Source& source, Mutants& mutants);  // removes barriers, stores, returns
void DecideConditions(const Source& source, Mutants& mutants);  // if (a) to if (true)
void ShiftLoops(const Source& source, Mutants& mutants);        // i = 0 to 1, i += n to n + 1

// These functions are in exchanges.cc.
void ExchangeListElements(const Source& source, Mutants& mutants);  // f(a, b) to f(b, a)
void ExchangeSubscripts(const Source& source, Mutants& mutants);    // a[i][j] to a[j][i]
void ExchangeVariables(const Source& source, Mutants& mutants);     // rows to cols

inline constexpr std::array kMutators = {
    &ChangeOperators,      &DropOperands,       &DropSigns,        &ChangeNumbers,    &ChangeNames,
    &ShiftIndices,         &ShiftLaunches,      &RemoveStatements, &DecideConditions, &ShiftLoops,
    &ExchangeListElements, &ExchangeSubscripts, &ExchangeVariables};

}  // namespace warpcheck::mutation
