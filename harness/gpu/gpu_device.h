// The Device over the driver API: gpu.h's MakeGpu makes it with this machine's driver and CUPTI,
// tests with others.
#pragma once

#include <functional>
#include <memory>

#include "device/device.h"
#include "gpu/cupti/launch_counter.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"
#include "gpu/gpu_module.h"

namespace warpcheck::gpu {

// Called once, just before the first launch that is counted.
using CounterFactory = std::function<Result<std::unique_ptr<LaunchCounter>>(CUcontext context)>;

struct CountingTools {
  CounterFactory make_counter;  // not called where Options count nothing
  CubinCapturer capture_cubin;
};

// `api` and `log` outlive the device.
Result<std::unique_ptr<Device>> MakeGpuDevice(const DriverApi& api, DeviceLog& log,
                                              const Options& options, CountingTools tools);

}  // namespace warpcheck::gpu
