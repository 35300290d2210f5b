// kMutators lists the kinds of changes. Each is a typical slip. Mutants that do not compile are not
// counted.
#pragma once

#include <array>
#include <string_view>

#include "proof/mutation/exchanges.h"
#include "proof/mutation/mutant.h"
#include "proof/mutation/operators.h"
#include "proof/mutation/statements.h"
#include "proof/mutation/values.h"

namespace warpcheck::mutation {

using Mutator = void (*)(const Source& source, Mutants& mutants);

struct KindOfChange {
  std::string_view name;
  Mutator mutate;
};

inline constexpr std::array kMutators = {KindOfChange{"operator", &ChangeOperators},
                                         KindOfChange{"operand left out", &DropOperands},
                                         KindOfChange{"sign left out", &DropSigns},
                                         KindOfChange{"number", &ChangeNumbers},
                                         KindOfChange{"coordinate", &ChangeNames},
                                         KindOfChange{"index", &ShiftIndices},
                                         KindOfChange{"launch", &ShiftLaunches},
                                         KindOfChange{"statement left out", &RemoveStatements},
                                         KindOfChange{"condition", &DecideConditions},
                                         KindOfChange{"loop", &ShiftLoops},
                                         KindOfChange{"list exchanged", &ExchangeListElements},
                                         KindOfChange{"subscripts exchanged", &ExchangeSubscripts},
                                         KindOfChange{"variable", &ExchangeVariables}};

}  // namespace warpcheck::mutation
