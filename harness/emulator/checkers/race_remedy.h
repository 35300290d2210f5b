// What would have ordered two accesses that race: which barrier is missing, and between which
// lines; or a fence, or an atomic.
#pragma once

#include <optional>
#include <string>

#include "emulator/checkers/race_report.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

struct Remedy {
  std::optional<Gap> gap{};  // of a barrier
  std::string missing{};     // what the message ends with: ", with no __syncthreads() between"
  std::string hint{};        // empty: that of the finding's kind
};

Remedy RemedyFor(const Launch& launch, const RacePlaces& places, const Race& race);

}  // namespace warpcheck::emulator
