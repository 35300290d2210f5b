#include "host/plan.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>

#include "hardware/generations.h"
#include "host/gpu_host.h"

namespace warpcheck {
namespace {

int PtxTargetFor(const gpu::Survey& survey) {
  return std::min(survey.compute_major * 10 + survey.compute_minor, kDefaultTarget);
}

}  // namespace

Result<GradingPlan> PlanFor(const std::string& wanted, const Rubric& rubric) {
  GradingPlan plan;
  const bool gpu_judges = wanted == "gpu" || (wanted == "auto" && rubric.gpu_judges);
  plan.witness = wanted == "auto" && !gpu_judges;
  plan.speed = wanted != "emulator";
  if (!gpu_judges) return plan;
  const auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kProperties));
  if (survey.no_gpu) return Fail(*survey.no_gpu);
  plan.device = "gpu";
  plan.device_remark =
      "The GPU judged alone: races, uses of unwritten memory, and reads outside the arrays were "
      "not checked.";
  plan.ptx_target = PtxTargetFor(survey);
  return plan;
}

Result<std::optional<int>> PtxTargetForWitness() {
  const auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kProperties));
  if (!survey.no_gpu) return PtxTargetFor(survey);
  if (survey.name.empty()) return std::nullopt;
  Error why = *survey.no_gpu;
  why.message = fmt::format("{}: {}", survey.name, why.message);
  return Fail(std::move(why));
}

Result<std::uint64_t> RandomSeed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
    return Fail("the system provides no random numbers", {}, "give a seed with --seed");
  }
  return seed >> 1;  // it fits a signed number, which some readers of JSON need
}

}  // namespace warpcheck
