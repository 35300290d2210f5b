// Describes the values of two accesses that race, for the message.
#pragma once

#include <string>

#include "emulator/checkers/races/report/race.h"

namespace warpcheck::emulator {

// Returns "; here it is read as 0, before 7 is written", from the memory and the registers that
// still hold the values. Returns an empty text unless both are plain loads or stores of the same
// element. `before` describes the earlier access, and is null if it is unknown.
std::string ValuesText(const Race& race, const MemoryInfo* before);

}  // namespace warpcheck::emulator
