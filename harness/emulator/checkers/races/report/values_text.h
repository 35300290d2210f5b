// Describes the values of two accesses that race, for the message of the finding.
#pragma once

#include <string>

#include "emulator/checkers/races/report/race.h"

namespace warpcheck::emulator {

// Returns a text such as "; here it is read as 0, before 7 is written", from the memory and the
// registers that still have the values. Returns an empty text unless both accesses are plain loads
// or stores of the same element. `before` describes the earlier access, and is null if that is
// unknown.
std::string ValuesText(const Race& race, const MemoryInfo* before);

}  // namespace warpcheck::emulator
