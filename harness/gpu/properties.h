#pragma once

#include "device/properties.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

// All that the driver says of a device. Fails with the attribute that it does not know.
Result<DeviceProperties> ReadProperties(const DriverApi& api, CUdevice device);

}  // namespace warpcheck::gpu
