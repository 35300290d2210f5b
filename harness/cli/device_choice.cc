#include "cli/device_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/gpu_host.h"

namespace warpcheck {
namespace {

// Newer GPUs run it as well.
constexpr int kNewestTarget = 90;

std::string Sentence(const Error& error) {
  return error.hint.empty() ? error.message : error.message + "; " + error.hint;
}

}  // namespace

Result<DeviceChoice> ChooseDevice(const std::string& wanted) {
  DeviceChoice choice;
  if (wanted == "emulator") return choice;
  const bool must = wanted == "gpu";  // whether it can be counted or not
  const auto survey = SurveyByGpuHost(must ? SurveyOf::kProperties : SurveyOf::kCounters);
  if (!survey) {
    if (must) return Fail(survey.error());
    choice.remark = "not on a GPU: " + Sentence(survey.error());
    return choice;
  }
  if (survey->no_gpu) {
    if (must) return Fail(*survey->no_gpu);
    if (!survey->name.empty()) {
      choice.remark = fmt::format("not on the {}: {}", survey->name, Sentence(*survey->no_gpu));
    }
    return choice;
  }
  if (survey->no_counters) {
    choice.remark = fmt::format("not on the {}: {}", survey->name, Sentence(*survey->no_counters));
    return choice;
  }
  choice.device = "gpu";
  choice.ptx_target = std::min(survey->compute_major * 10 + survey->compute_minor, kNewestTarget);
  return choice;
}

}  // namespace warpcheck
