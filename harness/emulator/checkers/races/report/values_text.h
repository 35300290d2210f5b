// Describes the values of two accesses that race, for the message of the finding.
#pragma once

#include <string>

#include "emulator/checkers/races/report/instructions.h"
#include "emulator/checkers/races/report/race.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns a text such as "; here it is read as 0, before 7 is written", from the memory and the
// registers that still have the values. Returns an empty text unless both accesses are plain loads
// or stores of the same element. `before` describes the earlier access, and is null if that is
// unknown. The values have the type with which the kernel accesses the array elsewhere: the
// compiler stores the constant 0.0f as an integer.
std::string ValuesText(Launch& launch, const Race& race,
                       const InstructionNumbers::Instruction& before);

}  // namespace warpcheck::emulator
