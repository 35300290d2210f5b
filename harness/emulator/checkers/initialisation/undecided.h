// Undecided finds results that do not depend on undefined values: `i < n && s[i] > m` is false for
// an i beyond n, for any s[i], and a compiler makes one instruction of it.
#pragma once

#include <array>

#include "emulator/core/warp.h"
#include "emulator/decode/flow.h"

namespace warpcheck::emulator {

// Lanes, for the first destination of an instruction and for its others.
using DestinationMasks = std::array<LaneMask, 2>;

// Returns the lanes among `lanes` whose results may depend on tainted sources of `step`. `flow` is
// the value flow of the step. The registers of the warp are as before the step.
DestinationMasks Undecided(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes);

}  // namespace warpcheck::emulator
