// One launch, on the driver.
#pragma once

#include <cstdint>
#include <string>

#include "device/device.h"
#include "gpu/gpu_module.h"
#include "gpu/output_capture.h"

namespace warpcheck::gpu {

// Allows the kernel as much dynamic shared memory as the launch asks for.
CUresult AllowShared(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                     const DeviceProperties& properties);

// What a multiprocessor holds of these blocks. After AllowShared.
CUresult ReadResources(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                       const DeviceProperties& properties, LaunchResources& into);

// Starts the kernel in the default stream, and does not wait.
CUresult StartKernel(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request);

struct KernelEnding {
  CUresult started = CUDA_SUCCESS;
  CUresult ended = CUDA_SUCCESS;  // where it started
  OutputCapture::Text output;     // printf and assert

  // The launch was refused, and nothing changed.
  bool refused() const;
  CUresult error() const { return started != CUDA_SUCCESS ? started : ended; }
};

// Runs the kernel to its end.
KernelEnding RunKernel(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request);

}  // namespace warpcheck::gpu
