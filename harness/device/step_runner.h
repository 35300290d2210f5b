// A StepRunner is a device that also runs copies and launches in several streams, and that has
// memory of the host. Labs need both (lab/launch/). The CUDA runtime of submissions needs neither,
// because there the runtime itself owns host memory and streams.
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.h"

namespace warpcheck {

// Says what kind of memory of the host an allocation is.
enum class HostMemory : std::uint8_t {
  kPageable,  // only copies may use it
  kPinned,    // page-locked; kernels use it where it lies (cudaHostAllocMapped)
  kManaged,   // its pages move to the processor that uses them (cudaMallocManaged)
};

// One copy or one launch. A step begins when the steps before it in its stream have ended.
struct DeviceStep {
  std::uint32_t stream = 0;  // the streams are numbered from 0
  bool is_copy = false;
  DeviceAddress to = 0, from = 0;  // of a copy; device memory or memory of AllocateHost
  std::uint64_t bytes = 0;         // of a copy
  LaunchRequest launch{};          // if the step is no copy
};
WARPCHECK_FIELDS(DeviceStep, stream, is_copy, to, from, bytes, launch);

// When a step ran, in microseconds since the first step was started.
struct StepTime {
  double begin_us = 0;
  double end_us = 0;
};
WARPCHECK_FIELDS(StepTime, begin_us, end_us);

class StepRunner {
 public:
  virtual ~StepRunner() = default;

  // Allocates memory of the host. Device::Free frees it, and Device::Write, Read, Copy and Fill use
  // it, as they do with device memory.
  virtual DeviceResult<DeviceAddress> AllocateHost(std::uint64_t bytes, HostMemory memory) = 0;

  // Runs all steps to their end. Returns a time of each step, or nothing if the device measures no
  // times. A device that measures times runs all steps several times, each time from the same
  // contents of the host's memory, and returns the times of a run of median length.
  virtual DeviceResult<std::vector<StepTime>> RunSteps(const std::vector<DeviceStep>& steps) = 0;
};

// The most streams of a run.
inline constexpr std::uint32_t kMaxStreams = 64;

// Runs the steps one after another, as a device without streams does.
inline DeviceError RunInOrder(Device& device, const std::vector<DeviceStep>& steps) {
  for (const DeviceStep& step : steps) {
    WARPCHECK_TRY_CODE(step.is_copy ? device.Copy(step.to, step.from, step.bytes)
                                    : device.Launch(step.launch));
  }
  return DeviceError::kSuccess;
}

}  // namespace warpcheck
