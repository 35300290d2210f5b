// Says why two threads have the same element in one line.
#pragma once

#include <string>

#include "emulator/checkers/races/report/code_place.h"
#include "emulator/checkers/races/report/race.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns what is wrong with the index of a line at which two threads change one element, if the
// code or the addresses of the warp tell: the index lacks a coordinate in which the threads differ,
// or it runs beyond its row. Returns an empty text if nothing tells, as for an index that is data,
// or if all threads of the warp are meant to have this element. `now` is the place of `race.now`.
std::string IndexHint(const Launch& launch, const Race& race, const CodePlace& now);

// Returns true if the address of the access is computed from threadIdx and blockIdx, as that of an
// element for each thread of the grid.
bool CountsThroughGrid(const CodePlace& place);

// Returns true if a comparison with the place of a thread decides whether the instruction is
// executed: then a barrier there would not be reached by all threads.
bool IsForSomeThreads(const CodePlace& place);

}  // namespace warpcheck::emulator
