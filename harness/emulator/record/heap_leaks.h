// HeapLeaks finds memory that kernels have allocated and nothing has freed.
#pragma once

#include <vector>

#include "device/finding.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {

// Returns a finding for each call of malloc or new in a kernel whose memory is still allocated.
std::vector<Finding> HeapLeaks(const DeviceMemory& memory);

}  // namespace warpcheck::emulator
