#include "gpu/gpu.h"

#include "gpu/gpu_device.h"
#include "gpu/line_counter.h"
#include "gpu/totals_counter.h"

namespace warpcheck::gpu {
namespace {

CounterFactory MakeCounter(const Options& options) {
  return [options](CUcontext context) -> Result<std::unique_ptr<LaunchCounter>> {
    const auto cupti = LoadCupti();
    if (!cupti) return Fail(cupti.error());
    const CuptiDevice device = {.ordinal = static_cast<std::uint32_t>(options.ordinal),
                                .context = context};
    if (options.counting == Counting::kLines) {
      return std::make_unique<LineCounter>(**cupti, device);
    }
    return std::make_unique<TotalsCounter>(**cupti, device);
  };
}

}  // namespace

Result<std::unique_ptr<Device>> MakeGpu(DeviceLog& log, const Options& options) {
  const auto api = LoadDriver();
  if (!api) return Fail(api.error());
  return MakeGpuDevice(**api, log, options, MakeCounter(options));
}

}  // namespace warpcheck::gpu
