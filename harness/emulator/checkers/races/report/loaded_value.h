// Says what a kernel does with a value that it loads from memory that other threads write.
#pragma once

#include "emulator/checkers/races/report/code_place.h"

namespace warpcheck::emulator {

// True if an old value does no harm, because the kernel looks at the value itself: it only compares
// it, an atomicCAS() compares it with what is there, or a loop goes on loading until the value is
// as it should be, as with a flag, or with a word that has a flag and data.
bool IsJudgedByItself(const CodePlace& load);

}  // namespace warpcheck::emulator
