// The Device over the driver API: gpu.h's MakeGpu makes it with this machine's driver and CUPTI,
// tests with others.
#pragma once

#include <functional>
#include <memory>

#include "device/device.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"
#include "gpu/launch_counter.h"

namespace warpcheck::gpu {

// Called once, just before the first launch that is counted.
using CounterFactory = std::function<Result<std::unique_ptr<LaunchCounter>>(CUcontext context)>;

// `api` and `log` outlive the device. `make_counter` is not called where `options` counts nothing.
Result<std::unique_ptr<Device>> MakeGpuDevice(const DriverApi& api, DeviceLog& log,
                                              const Options& options, CounterFactory make_counter);

}  // namespace warpcheck::gpu
