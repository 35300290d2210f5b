// Finds races: two threads access the same bytes, at least one writes, and nothing orders them
// (docs/checkers.md says what orders). In the shared memory of a block, and in global memory within
// a grid. It judges the order that a program asks for, not the one in which the emulator ran it, so
// that a race is found whichever thread came first.
#pragma once

#include <memory>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Adds findings to the launches that it observes: of one emulator after the other, if it is to keep
// its memory for the next.
std::unique_ptr<Observer> MakeRaceChecker();

}  // namespace warpcheck::emulator
