// Times the steps of a program in streams of the driver: runs all steps several times, with an
// event before and after each step.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "device/step_runner.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

// Starts step `index` in a stream, without waiting for it.
using StartStep = std::function<CUresult(std::size_t index, CUstream stream)>;

// Runs `steps` several times, and sets `times` to the times of the run whose length is the median.
// `restore` runs before each run. The device has nothing else to do meanwhile.
CUresult TimeSteps(const DriverApi& api, const std::vector<DeviceStep>& steps,
                   const StartStep& start, const std::function<void()>& restore,
                   std::vector<StepTime>& times);

}  // namespace warpcheck::gpu
