#pragma once

#include "gpu/driver_api.h"

namespace warpcheck::gpu {

// Sets the fake driver's functions for memory: allocation, copies, fills and virtual addresses.
void FillMemoryCalls(DriverApi& api);

}  // namespace warpcheck::gpu
