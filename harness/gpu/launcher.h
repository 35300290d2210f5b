// A launch from the request to its record: checked, timed, counted, run, explained.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "device/finding.h"
#include "device/launch_rules.h"
#include "gpu/context.h"
#include "gpu/driver_api.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_memory.h"
#include "gpu/gpu_module.h"
#include "gpu/launch_timer.h"
#include "gpu/output_capture.h"

namespace warpcheck::gpu {

// What ended a kernel, as a finding.

// `result`: what synchronising after the launch gave. `errors`: what the driver wrote to standard
// error meanwhile: of a failed assert, its text, place and thread.
Finding ExplainFault(const DriverApi& api, CUresult result, const std::string& kernel,
                     std::string_view errors);

// Why the driver refused a launch: it says an error's number, people need those of the launch.

// Of a launch that device/launch_rules.h lets through. `active_blocks`: of these that a
// multiprocessor holds at a time.
Refusal ExplainRefusal(const DriverApi& api, CUresult result, const GpuKernel& kernel,
                       const LaunchRequest& request, const DeviceProperties& properties,
                       std::uint32_t active_blocks);

// One launch, on the driver.

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

class Launcher {
 public:
  // What of the device a launch deals with; all of it outlives the launcher.
  struct Surroundings {
    const DriverApi& api;
    const Context& context;
    const DeviceProperties& properties;
    GpuMemory& memory;
    // Everything that a kernel may change, variables included.
    std::function<std::vector<MemoryRange>()> all_memory;
    DeviceLog& log;
  };

  Launcher(Surroundings surroundings, const Options& options, CounterFactory make_counter);

  // Runs a kernel to its end and tells the log. A sticky error means that the context is lost.
  DeviceError Launch(const GpuModule& module, const GpuKernel& kernel,
                     const LaunchRequest& request);

 private:
  struct Job {
    const GpuModule& module;
    const GpuKernel& kernel;
    const LaunchRequest& request;
    std::uint32_t index;  // of this device's launches, refused ones included
    LaunchRecord record;
  };

  std::optional<Refusal> Prepare(Job& job);
  std::optional<KernelEnding> Time(Job& job);
  KernelEnding RunCounted(Job& job);
  LaunchCounter* CounterFor(Job& job);
  void Explain(Job& job, const KernelEnding& ending);
  void CheckMemory(Job& job);
  std::uint32_t ActiveBlocks(const Job& job) const;

  const Surroundings around_;
  const Options options_;
  const CounterFactory make_counter_;
  std::uint32_t launches_ = 0;
  std::optional<Result<std::unique_ptr<LaunchCounter>>> counter_;  // once it was asked for
};

}  // namespace warpcheck::gpu
