// Makes gradings take turns at the GPU of this machine, so that they do not slow each other down.
#pragma once

#include <chrono>

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck {

// Returns the right to use the GPU as a witness, which one process can have at a time. The right
// ends when the descriptor is closed. Fails if other processes keep it for `patience`.
Result<Descriptor> TakeTurnAtGpu(std::chrono::milliseconds patience);

}  // namespace warpcheck
