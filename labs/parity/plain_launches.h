// Launches of single kernels on a device, as the calibration set lists them.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "device/device.h"
#include "labs/parity/measurements.h"
#include "labs/parity/set.h"

namespace warpcheck::parity {

// Calls `use` with a fresh device, which tells `log` and counts every source line of the first
// launch made on it. Fails where there is no such device, and where `use` does.
using UseDevice =
    std::function<Result<>(DeviceLog& log, const std::function<Result<>(Device&)>& use)>;

// Makes the launch on a device of its own. `ptx` is the set's module; the error says what failed.
Result<MeasuredLaunch> Measure(const PlainLaunch& launch, std::string_view ptx,
                               std::uint64_t buffer_bytes, const UseDevice& use_device);

}  // namespace warpcheck::parity
