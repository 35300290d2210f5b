// Launcher takes a launch from the request to its record: it checks, times, counts and runs the
// launch, and explains its end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/launch_rules.h"
#include "gpu/driver_api.h"
#include "gpu/gpu_device.h"
#include "gpu/gpu_memory.h"
#include "gpu/gpu_module.h"
#include "gpu/gpu_textures.h"
#include "gpu/launch_timer.h"
#include "gpu/output_capture.h"

namespace warpcheck::gpu {

// The driver's answers to the start and to the end of a launch.
struct KernelEnding {
  CUresult started = CUDA_SUCCESS;
  CUresult ended = CUDA_SUCCESS;  // valid if the launch started
  OutputCapture::Text output;     // output of printf and assert

  // Returns true if the launch was refused and nothing has changed.
  bool refused() const { return started != CUDA_SUCCESS && !IsSticky(ToDeviceError(started)); }
  CUresult error() const { return started != CUDA_SUCCESS ? started : ended; }
};

// Starts the kernel in a stream, without waiting for it. A request that a launch has carried out
// before is valid.
CUresult StartKernel(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                     CUstream stream);

class Launcher {
 public:
  // The parts of the device that a launch needs. All of them must outlive the launcher.
  struct Surroundings {
    const DriverApi& api;
    const Context& context;
    const DeviceProperties& properties;
    GpuMemory& memory;
    GpuTextures& textures;
    // Returns everything that a kernel may change, including variables.
    std::function<std::vector<MemoryRange>()> all_memory;
    DeviceLog& log;
  };

  Launcher(Surroundings surroundings, const Options& options, CountingTools tools)
      : around_(std::move(surroundings)),
        options_(options),
        tools_(std::move(tools)),
        cold_cache_(around_.api, around_.properties) {}

  // With Options::times_once, the next launch finds a cold L2 cache; with Options::times_first, it
  // is timed.
  void BeginTrial() { is_first_ = true; }

  // Runs a kernel to its end and reports it to the log. A sticky error means that the context is
  // lost.
  DeviceError Launch(const GpuModule& module, const GpuKernel& kernel,
                     const LaunchRequest& request);

 private:
  struct Job {
    const GpuModule& module;
    const GpuKernel& kernel;
    const LaunchRequest& request;
    std::uint32_t index;  // the launch's number on this device; refused launches count too
    LaunchRecord record;
  };

  CUresult Prepare(Job& job);
  std::optional<KernelEnding> Time(Job& job);
  CUresult MeasureUse(Job& job);
  KernelEnding RunCounted(Job& job);
  KernelEnding RunTimed(Job& job);
  LaunchCounter* CounterFor(Job& job);
  void Explain(Job& job, const KernelEnding& ending);
  Refusal ExplainRefusal(const Job& job, CUresult result) const;

  const Surroundings around_;
  const Options options_;
  const CountingTools tools_;
  ColdCache cold_cache_;
  bool is_first_ = true;                         // false once a launch of this trial has run
  std::optional<double> copy_bytes_per_second_;  // measured before the first timed launch
  std::uint32_t launches_ = 0;
  std::vector<LaunchRecord> timed_;  // kernels and shapes that were timed
  // Set after the first request for it.
  std::optional<Result<std::unique_ptr<LaunchCounter>>> counter_;
  std::optional<Result<std::unique_ptr<UseMeter>>> meter_;
};

}  // namespace warpcheck::gpu
