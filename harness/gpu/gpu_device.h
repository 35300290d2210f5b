// GpuDevice is the Device over the driver API. MakeGpu() of gpu.h makes it with the machine's
// driver and CUPTI, and tests make it with fakes.
#pragma once

#include <functional>
#include <memory>

#include "device/device.h"
#include "gpu/cupti/activity_clock.h"
#include "gpu/cupti/launch_counter.h"
#include "gpu/cupti/use_meter.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"
#include "gpu/gpu_module.h"

namespace warpcheck::gpu {

// The type of a function that is called once, just before the first launch that is counted.
using CounterFactory = std::function<Result<std::unique_ptr<LaunchCounter>>(CUcontext context)>;

struct CountingTools {
  CounterFactory make_counter;  // not called if Options turn counting off
  CubinCapturer capture_cubin;
  TakeKernelTime take_time{};  // needed if Options::times_once is set
  MeterFactory make_meter{};   // needed if Options::measures_use is set
};

// `api` and `log` must outlive the device.
Result<std::unique_ptr<Device>> MakeGpuDevice(const DriverApi& api, DeviceLog& log,
                                              const Options& options, CountingTools tools);

}  // namespace warpcheck::gpu
