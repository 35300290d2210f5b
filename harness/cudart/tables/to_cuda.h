// ToCuda() turns a device's error into the runtime's, which has the same numbers.
#pragma once

#include <cuda_runtime_api.h>

#include "device/device_error.h"

namespace warpcheck::cudart {

inline cudaError_t ToCuda(DeviceError error) { return static_cast<cudaError_t>(error); }

}  // namespace warpcheck::cudart
