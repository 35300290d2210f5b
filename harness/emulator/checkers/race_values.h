// The values of two accesses that race, where they are plain loads and stores of one element:
// memory and the registers still have them.
#pragma once

#include <string>

#include "emulator/checkers/race_report.h"

namespace warpcheck::emulator {

// "; here it is read as 0, before 7 is written"; empty where the values are not known.
// `before`: the earlier access, null for none that is known.
std::string ValuesText(const Race& race, const MemoryInfo* before);

}  // namespace warpcheck::emulator
