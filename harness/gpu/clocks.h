#pragma once

#include <cstdint>

#include "device/properties.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

struct Clocks {
  std::uint32_t sm_mhz = 0;
  std::uint32_t memory_mhz = 0;
};

// The clocks of this moment, from NVML (libnvidia-ml.so.1); where it is missing or does not say,
// the highest that the device can have.
Clocks ReadClocks(const DriverApi& api, CUdevice device, const DeviceProperties& properties);

}  // namespace warpcheck::gpu
