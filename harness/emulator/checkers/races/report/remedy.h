// Says what would have ordered two accesses that race: a barrier, and between which lines it is
// missing, or a fence, or an atomic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/checkers/races/report/instructions.h"
#include "emulator/checkers/races/report/race.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

struct Remedy {
  std::optional<Gap> gap{};  // the place where a barrier is missing
  std::string missing{};     // the end of the message: ", with no __syncthreads() between"
  std::string hint{};        // the hint; if empty, the hint of the finding's kind applies
  // The lines that need a wider scope, ascending, if the hint asks for nothing else.
  std::vector<int> narrow{};
};

Remedy RemedyFor(const Launch& launch, const InstructionNumbers& numbers, const Race& race);
// Returns the lines between which `barrier` is missing: from the earlier access to the later one.
// Returns nothing if both accesses are in the same line.
std::optional<Gap> GapOfRace(const Launch& launch, const InstructionNumbers& numbers,
                             const Race& race, std::string barrier);

}  // namespace warpcheck::emulator
