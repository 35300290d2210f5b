// Says what would have ordered two threads that meet by an atomic, a flag or a lock: a fence, a
// wider scope, an atomic in place of a plain store.
#pragma once

#include <optional>

#include "emulator/checkers/races/report/code_place.h"
#include "emulator/checkers/races/report/race.h"
#include "emulator/checkers/races/report/remedy.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns the remedy for two strong accesses that are not morally strong; nothing if one is weak.
std::optional<Remedy> RemedyForMismatch(const Launch& launch, const Race& race,
                                        const CodePlace& now, const CodePlace& before);
// Returns the remedy if both accesses are made under a lock that is taken or given back in a wrong
// way.
std::optional<Remedy> RemedyUnderALock(const Launch& launch, const Race& race, const CodePlace& now,
                                       const CodePlace& before);
// Returns the remedy for threads of two blocks.
Remedy RemedyBetweenBlocks(const Launch& launch, const Race& race, const CodePlace& now,
                           const CodePlace& before);

}  // namespace warpcheck::emulator
