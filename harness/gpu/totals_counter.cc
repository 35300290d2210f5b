#include "gpu/totals_counter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "gpu/cupti_errors.h"

namespace warpcheck::gpu {
namespace {

// CUPTI fills the image with one range a launch.
constexpr std::size_t kRanges = 1;

std::vector<const char*> Pointers(const std::vector<std::string>& names) {
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

}  // namespace

TotalsCounter::~TotalsCounter() {
  if (profiler_ != nullptr) {
    CUpti_RangeProfiler_Disable_Params disable{};
    disable.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
    disable.pRangeProfilerObject = profiler_;
    (void)api_.RangeProfilerDisable.pointer(&disable);
  }
  if (host_ != nullptr) {
    CUpti_Profiler_Host_Deinitialize_Params deinitialize{};
    deinitialize.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
    deinitialize.pHostObject = host_;
    (void)api_.ProfilerHostDeinitialize.pointer(&deinitialize);
  }
}

Result<> TotalsCounter::SetUp() {
  CUpti_Profiler_Initialize_Params initialize{};
  initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  return Call(api_.ProfilerInitialize, initialize)
      .and_then([&] { return ChipName(api_, device_); })
      .and_then([&](const std::string& chip) { return ChooseMetrics(chip); })
      .and_then([&] { return MakeConfig(); })
      .and_then([&] { return Enable(); });
}

// Asks for each metric beforehand: after one that it does not know, the configuration takes none.
Result<> TotalsCounter::ChooseMetrics(const std::string& chip) {
  CUpti_Profiler_Host_Initialize_Params initialize{};
  initialize.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
  initialize.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  initialize.pChipName = chip.c_str();
  if (auto made = Call(api_.ProfilerHostInitialize, initialize); !made) return made;
  host_ = initialize.pHostObject;

  std::vector<std::string_view> unknown;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    if (Info(counter).scope != CounterScope::kEvery) continue;  // needs single instructions
    std::string metric = fmt::format("{}.sum", Info(counter).metric);
    CUpti_Profiler_Host_GetMetricProperties_Params properties{};
    properties.structSize = CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE;
    properties.pHostObject = host_;
    properties.pMetricName = metric.c_str();
    const CUptiResult status = api_.ProfilerHostGetMetricProperties.pointer(&properties);
    if (IsUnknownMetric(status)) {
      unknown.push_back(Info(counter).metric);
    } else if (status != CUPTI_SUCCESS) {
      return Fail(CuptiError(api_.ProfilerHostGetMetricProperties.name, status));
    } else {
      counters_.push_back(counter);
      metrics_.push_back(std::move(metric));
    }
  }
  if (!unknown.empty()) {
    missing_ =
        fmt::format("CUPTI's Range Profiler has no {} on {}", fmt::join(unknown, ", "), chip);
  }
  if (counters_.empty()) return Fail(fmt::format("counters cannot be read: {}", missing_));
  return {};
}

Result<> TotalsCounter::MakeConfig() {
  auto names = Pointers(metrics_);
  CUpti_Profiler_Host_ConfigAddMetrics_Params add{};
  add.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
  add.pHostObject = host_;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  if (auto added = Call(api_.ProfilerHostConfigAddMetrics, add); !added) return added;

  CUpti_Profiler_Host_GetConfigImageSize_Params size{};
  size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
  size.pHostObject = host_;
  if (auto got = Call(api_.ProfilerHostGetConfigImageSize, size); !got) return got;

  config_.resize(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params image{};
  image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  return Call(api_.ProfilerHostGetConfigImage, image);
}

Result<> TotalsCounter::Enable() {
  CUpti_RangeProfiler_Enable_Params enable{};
  enable.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
  enable.ctx = device_.context;
  if (auto enabled = Call(api_.RangeProfilerEnable, enable); !enabled) return enabled;
  profiler_ = enable.pRangeProfilerObject;

  auto names = Pointers(metrics_);
  CUpti_RangeProfiler_GetCounterDataSize_Params size{};
  size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = kRanges;
  size.maxNumRangeTreeNodes = kRanges;
  if (auto got = Call(api_.RangeProfilerGetCounterDataSize, size); !got) return got;
  counter_data_.resize(size.counterDataSize);
  return {};
}

Result<> TotalsCounter::ClearCounters() {
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params clear{};
  clear.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
  clear.pRangeProfilerObject = profiler_;
  clear.counterDataSize = counter_data_.size();
  clear.pCounterData = counter_data_.data();
  return Call(api_.RangeProfilerCounterDataImageInitialize, clear);
}

Result<> TotalsCounter::Configure() {
  CUpti_RangeProfiler_SetConfig_Params config{};
  config.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE;
  config.pRangeProfilerObject = profiler_;
  config.configSize = config_.size();
  config.pConfig = config_.data();
  config.counterDataImageSize = counter_data_.size();
  config.pCounterDataImage = counter_data_.data();
  config.range = CUPTI_AutoRange;
  config.replayMode = CUPTI_KernelReplay;
  config.maxRangesPerPass = kRanges;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  return Call(api_.RangeProfilerSetConfig, config);
}

Result<> TotalsCounter::Start() {
  CUpti_RangeProfiler_Start_Params start{};
  start.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
  start.pRangeProfilerObject = profiler_;
  return Call(api_.RangeProfilerStart, start);
}

Result<> TotalsCounter::Begin() {
  if (!set_up_) set_up_ = SetUp();
  if (!*set_up_) return *set_up_;
  return ClearCounters().and_then([&] { return Configure(); }).and_then([&] { return Start(); });
}

Result<> TotalsCounter::Stop() {
  CUpti_RangeProfiler_Stop_Params stop{};
  stop.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
  stop.pRangeProfilerObject = profiler_;
  if (auto stopped = Call(api_.RangeProfilerStop, stop); !stopped) return stopped;

  CUpti_RangeProfiler_DecodeData_Params decode{};
  decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
  decode.pRangeProfilerObject = profiler_;
  if (auto decoded = Call(api_.RangeProfilerDecodeData, decode); !decoded) return decoded;

  CUpti_RangeProfiler_GetCounterDataInfo_Params info{};
  info.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  if (auto got = Call(api_.RangeProfilerGetCounterDataInfo, info); !got) return got;
  if (decode.numOfRangeDropped == 0 && info.numTotalRanges == kRanges) return {};
  return Fail(
      fmt::format("counters were lost: CUPTI recorded {} ranges of one launch and dropped {}",
                  info.numTotalRanges, decode.numOfRangeDropped));
}

Result<std::vector<double>> TotalsCounter::Evaluate() {
  auto names = Pointers(metrics_);
  std::vector<double> values(names.size());
  CUpti_Profiler_Host_EvaluateToGpuValues_Params evaluate{};
  evaluate.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = counter_data_.data();
  evaluate.counterDataImageSize = counter_data_.size();
  evaluate.ppMetricNames = names.data();
  evaluate.numMetrics = names.size();
  evaluate.pMetricValues = values.data();
  if (auto done = Call(api_.ProfilerHostEvaluateToGpuValues, evaluate); !done) {
    return Fail(done.error());
  }
  return values;
}

Result<LaunchCounts> TotalsCounter::End(const KernelImage&) {
  if (auto stopped = Stop(); !stopped) return Fail(stopped.error());
  const auto values = Evaluate();
  if (!values) return Fail(values.error());
  LaunchCounts counts;
  counts.missing = missing_;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const double value = (*values)[i];
    if (!std::isfinite(value) || value < 0) {
      return Fail(fmt::format("counters were lost: CUPTI gives {} for {}", value, metrics_[i]));
    }
    counts.totals.Set(counters_[i], static_cast<std::uint64_t>(std::llround(value)));
  }
  if (counts.totals[Counter::kWarpInstructions] == 0U) {
    return Fail("counters were lost: CUPTI saw no instruction of the launch");
  }
  return counts;
}

}  // namespace warpcheck::gpu
