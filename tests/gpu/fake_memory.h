#pragma once

#include "gpu/driver_api.h"

namespace warpcheck::gpu {

// Fills in the fake driver's functions of memory: allocation, copies, fills and virtual addresses.
void FillMemoryCalls(DriverApi& api);

}  // namespace warpcheck::gpu
