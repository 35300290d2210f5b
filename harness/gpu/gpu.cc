#include "gpu/gpu.h"

#include "gpu/cubin.h"
#include "gpu/gpu_device.h"
#include "gpu/launch_counter.h"
#include "gpu/line_counter.h"

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

// For the lines of machine code.
Result<std::vector<std::byte>> CaptureCubin(const std::function<void()>& load) {
  auto capture =
      LoadCupti().and_then([](const CuptiApi* cupti) { return CubinCapture::Start(*cupti); });
  load();
  if (!capture) return Fail(capture.error());
  return (*capture)->Take();
}

}  // namespace

Result<std::unique_ptr<Device>> MakeGpu(DeviceLog& log, const Options& options) {
  const auto api = LoadDriver();
  if (!api) return Fail(api.error());
  CountingTools tools;
  tools.make_counter = MakeCounter(options);
  if (options.counting == Counting::kLines) tools.capture_cubin = CaptureCubin;
  return MakeGpuDevice(**api, log, options, std::move(tools));
}

}  // namespace warpcheck::gpu
