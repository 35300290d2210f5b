#include "gpu/cupti/sass_metrics.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {
namespace {

tl::unexpected<Error> UsedUp() {
  return Fail(
      "counters cannot be read: CUPTI can count the lines of only one launch in each process, and "
      "this process has counted one",
      {}, "count the next launch in a new process");
}

}  // namespace

SassMetrics::~SassMetrics() {
  if (enabled_) (void)Disable();
  if (configured_) {
    CUPTI_PARAMETERS(SassMetricsUnsetConfig, unset);
    unset.deviceIndex = device_.ordinal;
    (void)api_.SassMetricsUnsetConfig.pointer(&unset);
  }
}

Result<> SassMetrics::Start(const std::vector<std::string_view>& metrics) {
  if (configured_) return UsedUp();
  metrics_.clear();
  CUPTI_PARAMETERS(Profiler_Initialize, initialize);
  WARPCHECK_TRY(Call(api_.ProfilerInitialize, &initialize));
  const std::string chip = WARPCHECK_TRY(ChipName(api_, device_));
  WARPCHECK_TRY(ChooseMetrics(chip, metrics));
  WARPCHECK_TRY(Configure());
  return Enable();
}

Result<> SassMetrics::ChooseMetrics(const std::string& chip,
                                    const std::vector<std::string_view>& metrics) {
  const auto& function = api_.SassMetricsGetProperties;
  unknown_ = WARPCHECK_TRY(UnknownOf(metrics, chip, function.name, [&](std::string_view metric) {
    const std::string name(metric);
    CUPTI_PARAMETERS(SassMetrics_GetProperties, properties);
    properties.pChipName = chip.c_str();
    properties.pMetricName = name.c_str();
    const CUptiResult status = function.pointer(&properties);
    if (status == CUPTI_SUCCESS) metrics_[properties.metric.metricId] = metric;
    return status;
  }));
  return {};
}

Result<> SassMetrics::Configure() {
  std::vector<CUpti_SassMetrics_Config> metrics;
  for (const auto& [id, name] : metrics_) {
    metrics.push_back({id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
  }
  CUPTI_PARAMETERS(SassMetricsSetConfig, set);
  set.numOfMetricConfig = metrics.size();
  set.pConfigs = metrics.data();
  set.deviceIndex = device_.ordinal;
  const CUptiResult status = api_.SassMetricsSetConfig.pointer(&set);
  // CUPTI 13.0 returns this error for every configuration of a process except the first.
  if (status == CUPTI_ERROR_OUT_OF_MEMORY) return UsedUp();
  if (status != CUPTI_SUCCESS) return Fail(CuptiError(api_.SassMetricsSetConfig.name, status));
  configured_ = true;
  return {};
}

Result<> SassMetrics::Enable() {
  CUPTI_PARAMETERS(SassMetricsEnable, enable);
  enable.ctx = device_.context;
  enable.enableLazyPatching = 1;
  auto enabled = Call(api_.SassMetricsEnable, &enable);
  enabled_ = enabled.has_value();
  return enabled;
}

Result<std::vector<InstructionCounts>> SassMetrics::Read() {
  CUPTI_PARAMETERS(SassMetricsGetDataProperties, size);
  size.ctx = device_.context;
  WARPCHECK_TRY(Call(api_.SassMetricsGetDataProperties, &size));
  if (size.numOfPatchedInstructionRecords == 0 || size.numOfInstances == 0) {
    return Fail("counters were lost: CUPTI recorded no instruction of the launch");
  }
  std::vector<CUpti_SassMetrics_Data> records(size.numOfPatchedInstructionRecords);
  std::vector<CUpti_SassMetrics_InstanceValue> values(records.size() * size.numOfInstances);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].structSize =
        CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;  // the value in cupti_sass_metrics.h
    records[i].pInstanceValues = &values[i * size.numOfInstances];
  }
  CUPTI_PARAMETERS(SassMetricsFlushData, flush);
  flush.ctx = device_.context;
  flush.numOfPatchedInstructionRecords = records.size();
  flush.numOfInstances = size.numOfInstances;
  flush.pMetricsData = records.data();
  WARPCHECK_TRY(Call(api_.SassMetricsFlushData, &flush));

  // An instruction has several records, with a few metrics in each.
  std::map<std::pair<std::string, std::uint32_t>, InstructionCounts> instructions;
  for (const CUpti_SassMetrics_Data& record : records) {
    const std::string function = record.functionName == nullptr ? "" : record.functionName;
    InstructionCounts& counts = instructions[{function, record.pcOffset}];
    counts.function = function;
    counts.offset = record.pcOffset;
    for (std::size_t v = 0; v < size.numOfInstances; ++v) {
      const auto known = metrics_.find(record.pInstanceValues[v].metricId);
      if (known != metrics_.end()) counts.values[known->second] += record.pInstanceValues[v].value;
    }
  }
  std::vector<InstructionCounts> sorted;
  for (auto& [place, counts] : instructions) sorted.push_back(std::move(counts));
  return sorted;
}

Result<> SassMetrics::Disable() {
  enabled_ = false;
  CUPTI_PARAMETERS(SassMetricsDisable, disable);
  disable.ctx = device_.context;
  WARPCHECK_TRY(Call(api_.SassMetricsDisable, &disable));
  if (disable.numOfDroppedRecords == 0) return {};
  return Fail(fmt::format("counters were lost: CUPTI dropped {} of the launch",
                          Counted(disable.numOfDroppedRecords, "record")));
}

Result<std::vector<InstructionCounts>> SassMetrics::Finish() {
  if (!enabled_) return Fail("counters cannot be read: recording was not started");
  auto counts = Read();
  auto disabled = Disable();
  if (counts && !disabled) return Fail(disabled.error());
  return counts;
}

}  // namespace warpcheck::gpu
