#include "gpu/gpu.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/record.h"
#include "gpu/cupti/activity_clock.h"
#include "gpu/cupti/cubin.h"
#include "gpu/cupti/cupti_api.h"
#include "gpu/cupti/launch_counter.h"
#include "gpu/cupti/use_meter.h"
#include "gpu/driver_api.h"
#include "gpu/gpu_device.h"

namespace warpcheck::gpu {
namespace {

// Returns a function that makes a Tool, which measures by CUPTI on the GPU of this ordinal. The
// function fails if there is no CUPTI.
template <typename Tool, typename Interface>
auto MakerOf(int ordinal) {
  return [ordinal](CUcontext context) -> Result<std::unique_ptr<Interface>> {
    const auto cupti = WARPCHECK_TRY(LoadCupti());
    return std::make_unique<Tool>(
        *cupti, CuptiDevice{.ordinal = static_cast<std::uint32_t>(ordinal), .context = context});
  };
}

// Captures machine code, which is needed for the lines of its instructions.
Result<std::vector<std::byte>> CaptureCubin(const std::function<void()>& load) {
  auto capture =
      LoadCupti().and_then([](const CuptiApi* cupti) { return CubinCapture::Start(*cupti); });
  load();
  if (!capture) return Fail(capture.error());
  return (*capture)->Take();
}

// A kernel for the probe, in PTX for the oldest supported GPU, which every newer GPU runs too. In
// it, each lane of one warp reads and writes one word.
constexpr std::string_view kProbe = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry probe(.param .u64 word)
{
  .reg .b64 %address;
  .reg .b32 %value;
  .loc 1 1 1
  ld.param.u64 %address, [word];
  ld.global.u32 %value, [%address];
  .loc 1 2 1
  st.global.u32 [%address], %value;
  ret;
}
.file 1 "probe.cu"
)";

class Keep : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override { launch = record; }
  void OnFinding(const Finding& finding) override { problem = finding.message; }
  void OnPrint(std::string_view) override {}

  std::optional<LaunchRecord> launch;
  std::string problem;
};

// Fails if the probe does not run or is not measured.
Result<> Measure(Device& device, const Keep& log) {
  const auto address = device.Allocate(sizeof(std::uint32_t));
  const auto module = device.LoadModule(kProbe);
  if (!module) return Fail("the GPU does not load a kernel: " + log.problem);
  if (!address) {
    return Fail(fmt::format("the GPU has no memory: {}", CudaErrorName(address.error())));
  }
  LaunchRequest request;
  request.module = module->id;
  request.kernel = "probe";
  const auto bytes = std::as_bytes(std::span(&*address, 1));
  request.parameters.assign(bytes.begin(), bytes.end());
  const DeviceError error = device.Launch(request);
  if (error != DeviceError::kSuccess || !log.launch) {
    const bool explained = log.launch && !log.launch->findings.empty();
    return Fail(fmt::format(
        "the GPU does not run a kernel: {}",
        explained ? log.launch->findings.front().message : std::string(CudaErrorName(error))));
  }
  const auto sectors = log.launch->counters[Counter::kGlobalSectors];
  if (!sectors) return Fail(log.launch->not_measured);
  if (sectors != 2) {
    return Fail("CUPTI counted a kernel of two sectors wrongly", {},
                "see whether another profiler is at work");
  }
  return {};
}

// Sets the name, driver and compute capability, as far as they are known.
Result<> Describe(int ordinal, Survey& survey) {
  const auto api = WARPCHECK_TRY(LoadDriver());
  survey.driver = DriverVersion(*api);
  CUdevice device = 0;
  const CUresult result = api->DeviceGet(&device, ordinal);
  if (result != CUDA_SUCCESS) {
    return Fail(fmt::format("there is no GPU {}: {}", ordinal, ErrorText(*api, result)));
  }
  const auto properties = WARPCHECK_TRY(ReadProperties(*api, device));
  survey.name = properties.name;
  survey.compute_major = properties.compute_major;
  survey.compute_minor = properties.compute_minor;
  return {};
}

}  // namespace

Result<std::unique_ptr<Device>> MakeGpu(DeviceLog& log, const Options& options) {
  CountingTools tools;
  // CUPTI records from the beginning if it is asked before the driver is.
  if (options.times_once) tools.take_time = StartKernelTimes();
  const auto api = WARPCHECK_TRY(LoadDriver());
  const bool counts_lines = options.counting == Counting::kLines;
  tools.make_counter = counts_lines
                           ? CounterFactory(MakerOf<LineCounter, LaunchCounter>(options.ordinal))
                           : CounterFactory(MakerOf<TotalsCounter, LaunchCounter>(options.ordinal));
  tools.make_meter = MakerOf<UseMeter, UseMeter>(options.ordinal);
  if (counts_lines) tools.capture_cubin = CaptureCubin;
  return MakeGpuDevice(*api, log, options, std::move(tools));
}

Survey SurveyGpu(int ordinal, bool tries) {
  Survey survey;
  if (const auto described = Describe(ordinal, survey); !described) {
    survey.no_gpu = described.error();
    return survey;
  }
  if (!tries) return survey;
  Keep log;
  Options options;
  options.ordinal = ordinal;
  options.counting = Counting::kLines;  // grades use line counters; totals need the same permission
  const auto device = MakeGpu(log, options);
  if (!device) {
    survey.no_gpu = device.error();
    return survey;
  }
  const auto measured = Measure(**device, log);
  if (measured) return survey;
  const bool ran = log.launch && log.launch->error == DeviceError::kSuccess;
  (ran ? survey.no_counters : survey.no_gpu) = measured.error();
  return survey;
}

std::string SurveyText(const Survey& survey) { return JsonText(ToJson(survey), 2) + "\n"; }

Result<Survey> ParseSurvey(std::string_view text) {
  auto survey = ParseRecord<Survey>(text);
  if (!survey) return Fail("the survey of the GPU cannot be read: " + survey.error().message);
  return survey;
}

}  // namespace warpcheck::gpu
