// Says which wait for an asynchronous copy is missing, in terms of the interface that the kernel
// copies with.
#pragma once

#include "emulator/checkers/races/report/remedy.h"

namespace warpcheck::emulator {

// Returns the remedy for a race with a copy in flight (race.copy_state is not kNone).
Remedy RemedyForCopy(const Launch& launch, const InstructionNumbers& numbers, const Race& race);

}  // namespace warpcheck::emulator
