// kMutators lists the kinds of changes. Each is a typical slip. Mutants that do not compile are not
// counted.
#pragma once

#include <array>

#include "proof/mutation/exchanges.h"
#include "proof/mutation/mutant.h"
#include "proof/mutation/operators.h"
#include "proof/mutation/statements.h"
#include "proof/mutation/values.h"

namespace warpcheck::mutation {

using Mutator = void (*)(const Source& source, Mutants& mutants);

inline constexpr std::array kMutators = {
    &ChangeOperators,      &DropOperands,       &DropSigns,        &ChangeNumbers,    &ChangeNames,
    &ShiftIndices,         &ShiftLaunches,      &RemoveStatements, &DecideConditions, &ShiftLoops,
    &ExchangeListElements, &ExchangeSubscripts, &ExchangeVariables};

}  // namespace warpcheck::mutation
