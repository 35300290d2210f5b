// Makes the launches of single kernels that the calibration set lists, on a device.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "device/device.h"
#include "proof/parity/measurements.h"
#include "proof/parity/set.h"

namespace warpcheck::parity {

// Calls `use` with a fresh device, which reports to `log` and counts every source line of its first
// launch. Fails if there is no such device, or if `use` fails.
using UseDevice =
    std::function<Result<>(DeviceLog& log, const std::function<Result<>(Device&)>& use)>;

// Makes the launch on a separate device. `ptx` is the set's module; the error says what failed.
Result<MeasuredLaunch> Measure(const PlainLaunch& launch, std::string_view ptx,
                               std::uint64_t buffer_bytes, const UseDevice& use_device);

}  // namespace warpcheck::parity
