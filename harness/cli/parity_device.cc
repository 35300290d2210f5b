#include "cli/parity_device.h"

#include "cli/gpu_host.h"

namespace warpcheck {

parity::UseDevice ParityDevice(const std::string& device) {
  std::vector<std::string> arguments = {"--counting=lines", "--launch=0"};
  if (device == "emulator") arguments.emplace_back("--emulator");
  return [arguments](DeviceLog& log, const std::function<Result<>(Device&)>& use) {
    return UseGpuHost(arguments, log, use);
  };
}

Result<std::string> ParityDeviceName(const std::string& device) {
  if (device == "emulator") return std::string("warpcheck emulator");
  const auto survey = SurveyByGpuHost(SurveyOf::kCounters);
  if (!survey) return Fail(survey.error());
  if (survey->no_gpu) return Fail(*survey->no_gpu);
  if (survey->no_counters) return Fail(*survey->no_counters);
  return survey->name + ", " + survey->driver;
}

}  // namespace warpcheck
