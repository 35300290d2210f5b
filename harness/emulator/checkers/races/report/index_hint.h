// Says why two threads have the same element in one line.
#pragma once

#include <string>

#include "emulator/checkers/races/report/code_place.h"
#include "emulator/checkers/races/report/race.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns what is wrong with the index of a line at which two threads change one element: it lacks
// a coordinate in which the threads differ, the row or the column of one of them lies outside of
// the array, or no more is known than that the two have the same index. Returns an empty text for
// an index that is data, or that does not depend on the thread. `now` and `before` are the places
// of the two accesses of `race`.
std::string IndexHint(const Launch& launch, const Race& race, const CodePlace& now,
                      const CodePlace& before);

// Returns true if the address of the access is computed from threadIdx and blockIdx, as that of an
// element for each thread of the grid.
bool CountsThroughGrid(const CodePlace& place);

// Returns true if both accesses are stores of one line, which may be unrolled.
bool StoreInOneLine(const Launch& launch, const CodePlace& a, const CodePlace& b);

// Returns true if two accesses of one line may be made in different rounds of a loop, which may be
// unrolled.
bool MayBeInRounds(const CodePlace& now, const CodePlace& before);

// Returns true if the index is read from memory, so that only the data decide which threads meet.
bool IsData(const CodePlace& place);

// Returns true if the address of the access depends on the place of the thread.
bool DependsOnThread(const CodePlace& place);

// Returns true if a comparison with the place of a thread decides whether the instruction is
// executed: then a barrier there would not be reached by all threads.
bool IsForSomeThreads(const CodePlace& place);

// Returns true if one such comparison, other than the condition of a loop, decides about both.
bool AreForTheSameThreads(const CodePlace& a, const CodePlace& b);

}  // namespace warpcheck::emulator
