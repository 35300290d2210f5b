#include "gpu/sass_metrics.h"

#include <fmt/format.h>

#include <utility>

#include "gpu/cupti_api.h"

namespace warpcheck::gpu {
namespace {

tl::unexpected<Error> UsedUp() {
  return Fail(
      "counters cannot be read: CUPTI counts the lines of one launch a process, and this process "
      "has counted one",
      {}, "count the next launch in a new process");
}

}  // namespace

SassMetrics::~SassMetrics() {
  if (enabled_) (void)Disable();
  if (configured_) {
    CUpti_SassMetricsUnsetConfig_Params unset{};
    unset.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE;
    unset.deviceIndex = device_.ordinal;
    (void)api_.SassMetricsUnsetConfig.pointer(&unset);
  }
}

Result<> SassMetrics::Start(const std::vector<std::string_view>& metrics) {
  if (configured_) return UsedUp();
  metrics_.clear();
  unknown_.clear();
  CUpti_Profiler_Initialize_Params initialize{};
  initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  return Call(api_.ProfilerInitialize, &initialize)
      .and_then([&] { return ChipName(api_, device_); })
      .and_then([&](const std::string& chip) { return ChooseMetrics(chip, metrics); })
      .and_then([&] { return Configure(); })
      .and_then([&] { return Enable(); });
}

Result<> SassMetrics::ChooseMetrics(const std::string& chip,
                                    const std::vector<std::string_view>& metrics) {
  for (const std::string_view metric : metrics) {
    const std::string name(metric);
    CUpti_SassMetrics_GetProperties_Params properties{};
    properties.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
    properties.pChipName = chip.c_str();
    properties.pMetricName = name.c_str();
    const CUptiResult status = api_.SassMetricsGetProperties.pointer(&properties);
    if (IsUnknownMetric(status)) {
      unknown_.push_back(metric);
    } else if (status != CUPTI_SUCCESS) {
      return Fail(CuptiError(api_.SassMetricsGetProperties.name, status));
    } else {
      metrics_[properties.metric.metricId] = metric;
    }
  }
  if (!metrics_.empty()) return {};
  return Fail(UnknownMetrics(unknown_, chip));
}

Result<> SassMetrics::Configure() {
  std::vector<CUpti_SassMetrics_Config> metrics;
  for (const auto& [id, name] : metrics_) {
    metrics.push_back({id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
  }
  CUpti_SassMetricsSetConfig_Params set{};
  set.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
  set.numOfMetricConfig = metrics.size();
  set.pConfigs = metrics.data();
  set.deviceIndex = device_.ordinal;
  const CUptiResult status = api_.SassMetricsSetConfig.pointer(&set);
  // So CUPTI 13.0 refuses every configuration of a process but the first.
  if (status == CUPTI_ERROR_OUT_OF_MEMORY) return UsedUp();
  if (status != CUPTI_SUCCESS) return Fail(CuptiError(api_.SassMetricsSetConfig.name, status));
  configured_ = true;
  return {};
}

Result<> SassMetrics::Enable() {
  CUpti_SassMetricsEnable_Params enable{};
  enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
  enable.ctx = device_.context;
  enable.enableLazyPatching = 1;
  auto enabled = Call(api_.SassMetricsEnable, &enable);
  enabled_ = enabled.has_value();
  return enabled;
}

Result<std::vector<InstructionCounts>> SassMetrics::Read() {
  CUpti_SassMetricsGetDataProperties_Params size{};
  size.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
  size.ctx = device_.context;
  WARPCHECK_TRY(Call(api_.SassMetricsGetDataProperties, &size));
  if (size.numOfPatchedInstructionRecords == 0 || size.numOfInstances == 0) {
    return Fail("counters were lost: CUPTI recorded no instruction of the launch");
  }
  std::vector<CUpti_SassMetrics_Data> records(size.numOfPatchedInstructionRecords);
  std::vector<CUpti_SassMetrics_InstanceValue> values(records.size() * size.numOfInstances);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;  // cupti_sass_metrics.h
    records[i].pInstanceValues = &values[i * size.numOfInstances];
  }
  CUpti_SassMetricsFlushData_Params flush{};
  flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
  flush.ctx = device_.context;
  flush.numOfPatchedInstructionRecords = records.size();
  flush.numOfInstances = size.numOfInstances;
  flush.pMetricsData = records.data();
  if (auto flushed = Call(api_.SassMetricsFlushData, &flush); !flushed)
    return Fail(flushed.error());

  // An instruction has several records, a few metrics in each.
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
  CUpti_SassMetricsDisable_Params disable{};
  disable.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
  disable.ctx = device_.context;
  WARPCHECK_TRY(Call(api_.SassMetricsDisable, &disable));
  if (disable.numOfDroppedRecords == 0) return {};
  return Fail(fmt::format("counters were lost: CUPTI dropped {} records of the launch",
                          disable.numOfDroppedRecords));
}

Result<std::vector<InstructionCounts>> SassMetrics::Finish() {
  if (!enabled_) return Fail("counters cannot be read: recording was not started");
  auto counts = Read();
  auto disabled = Disable();
  if (counts && !disabled) return Fail(disabled.error());
  return counts;
}

}  // namespace warpcheck::gpu
