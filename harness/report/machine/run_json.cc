#include "report/machine/run_json.h"

#include "base/json/record.h"
#include "device/record_json.h"
#include "hardware/limiter_json.h"

namespace warpcheck {
namespace {

nlohmann::json ProcessJson(const run::ProcessResult& process) {
  nlohmann::json launches = nlohmann::json::array();
  for (const run::LaunchGroup& group : process.launches) {
    nlohmann::json entry = ToJson(group.sum);
    entry["launches"] = group.launches;
    if (const auto limiter = LimiterJson(group.sum, group.launches); !limiter.is_null()) {
      entry["limiter"] = limiter;
    }
    launches.push_back(std::move(entry));
  }
  nlohmann::json findings = nlohmann::json::array();
  for (const Finding& finding : process.findings) findings.emplace_back(ToJson(finding));
  nlohmann::json object = {{"process", process.process},
                           {"kernels", std::move(launches)},
                           {"findings", std::move(findings)},
                           {"unshown_output_bytes", process.not_shown}};
  if (!process.approximations.empty()) {
    object["approximations"] = ValueToJson(process.approximations);
  }
  if (process.unfinished) object["unfinished"] = ToJson(*process.unfinished);
  if (!process.refused.empty()) object["refused_calls"] = ValueToJson(process.refused);
  if (!process.copied_back.empty()) object["copied_back"] = ValueToJson(process.copied_back);
  if (!process.unoffered.empty()) object["not_offered"] = ValueToJson(process.unoffered);
  if (!process.samples.empty()) object["accesses"] = ValueToJson(process.samples);
  if (process.stop) object["first_finding"] = ToJson(*process.stop);
  if (process.timeline) object["timeline"] = ToJson(*process.timeline);
  if (process.calls) object["calls"] = ToJson(*process.calls);
  return object;
}

}  // namespace

nlohmann::json RunJson(const std::vector<run::ProcessResult>& processes,
                       const std::string& program) {
  nlohmann::json list = nlohmann::json::array();
  for (const run::ProcessResult& process : processes) list.push_back(ProcessJson(process));
  return {{"schema", "warpcheck-run-1"}, {"program", program}, {"processes", std::move(list)}};
}

}  // namespace warpcheck
