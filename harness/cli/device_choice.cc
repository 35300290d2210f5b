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

Result<GradingPlan> PlanFor(const std::string& wanted) {
  GradingPlan plan;
  if (wanted == "emulator") return plan;
  const bool must = wanted == "gpu";  // whether it can be counted or not
  const auto survey = SurveyByGpuHost(must ? SurveyOf::kProperties : SurveyOf::kCounters);
  if (!survey) {
    if (must) return Fail(survey.error());
    plan.device_remark = "not on a GPU: " + Sentence(survey.error());
    return plan;
  }
  if (survey->no_gpu) {
    if (must) return Fail(*survey->no_gpu);
    if (!survey->name.empty()) {
      plan.device_remark =
          fmt::format("not on the {}: {}", survey->name, Sentence(*survey->no_gpu));
    }
    return plan;
  }
  if (survey->no_counters) {
    plan.device_remark =
        fmt::format("not on the {}: {}", survey->name, Sentence(*survey->no_counters));
    return plan;
  }
  plan.device = "gpu";
  plan.ptx_target = std::min(survey->compute_major * 10 + survey->compute_minor, kNewestTarget);
  return plan;
}

}  // namespace warpcheck
