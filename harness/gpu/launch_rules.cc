#include "gpu/launch_rules.h"

#include <fmt/format.h>

namespace warpcheck::gpu {

Refusal ExplainRefusal(const DriverApi& api, CUresult result, const GpuKernel& kernel,
                       const LaunchRequest& request, const DeviceProperties& properties,
                       std::uint32_t active_blocks) {
  const DeviceError error = ToDeviceError(result);
  const LaunchedKernel launched = {kernel.display_name, kernel.info};
  if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
    const auto refusal = CheckCooperation(launched, request, properties, active_blocks);
    if (refusal) return *refusal;
  }
  const auto refusal = CheckRegisters(launched, request, properties);
  if (refusal) return *refusal;
  return Refuse(launched, error, fmt::format("the driver says {}", ErrorText(api, result)));
}

}  // namespace warpcheck::gpu
