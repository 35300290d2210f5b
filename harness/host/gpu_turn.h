// Makes gradings take turns at the counters of this machine's GPU, because one process at a time
// can have them. Results alone need no turn.
#pragma once

#include <chrono>

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck {

// Returns the right to read the GPU's counters, which one process can have at a time. The right
// ends when the descriptor is closed. Fails if other processes keep it for `patience`.
Result<Descriptor> TakeTurnAtGpu(std::chrono::milliseconds patience);

}  // namespace warpcheck
