#include "gpu/range_profiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <thread>

#include "gpu/cupti_api.h"

namespace warpcheck::gpu {
namespace {

// CUPTI fills the counter data with one range a launch.
constexpr std::size_t kRanges = 1;
constexpr std::chrono::milliseconds kRetry(10);

}  // namespace

RangeProfiler::~RangeProfiler() {
  Disable();
  if (host_ == nullptr) return;
  CUpti_Profiler_Host_Deinitialize_Params deinitialize{};
  deinitialize.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
  deinitialize.pHostObject = host_;
  (void)api_.ProfilerHostDeinitialize.pointer(&deinitialize);
}

Result<> RangeProfiler::SetUp(const std::vector<std::string_view>& metrics) {
  CUpti_Profiler_Initialize_Params initialize{};
  initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  WARPCHECK_TRY(Call(api_.ProfilerInitialize, &initialize));
  chip_ = WARPCHECK_TRY(ChipName(api_, device_));

  CUpti_Profiler_Host_Initialize_Params host{};
  host.structSize = CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE;
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip_.c_str();
  WARPCHECK_TRY(Call(api_.ProfilerHostInitialize, &host));
  host_ = host.pHostObject;
  return ChooseMetrics(metrics).and_then([&] { return MakeConfig(); });
}

// Asks for each metric beforehand: after one that it does not know, CUPTI's configuration takes no
// other.
Result<> RangeProfiler::ChooseMetrics(const std::vector<std::string_view>& metrics) {
  for (const std::string_view metric : metrics) {
    std::string name = fmt::format("{}.sum", metric);
    CUpti_Profiler_Host_GetMetricProperties_Params properties{};
    properties.structSize = CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE;
    properties.pHostObject = host_;
    properties.pMetricName = name.c_str();
    const CUptiResult status = api_.ProfilerHostGetMetricProperties.pointer(&properties);
    if (IsUnknownMetric(status)) {
      unknown_.push_back(metric);
    } else if (status != CUPTI_SUCCESS) {
      return Fail(CuptiError(api_.ProfilerHostGetMetricProperties.name, status));
    } else {
      metrics_.push_back(metric);
      names_.push_back(std::move(name));
    }
  }
  for (const std::string& name : names_) name_pointers_.push_back(name.c_str());
  if (!metrics_.empty()) return {};
  return Fail(UnknownMetrics(unknown_, chip_));
}

Result<> RangeProfiler::MakeConfig() {
  CUpti_Profiler_Host_ConfigAddMetrics_Params add{};
  add.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
  add.pHostObject = host_;
  add.ppMetricNames = name_pointers_.data();
  add.numMetrics = name_pointers_.size();
  WARPCHECK_TRY(Call(api_.ProfilerHostConfigAddMetrics, &add));

  CUpti_Profiler_Host_GetConfigImageSize_Params size{};
  size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
  size.pHostObject = host_;
  WARPCHECK_TRY(Call(api_.ProfilerHostGetConfigImageSize, &size));

  config_.resize(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params image{};
  image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  return Call(api_.ProfilerHostGetConfigImage, &image);
}

Result<> RangeProfiler::Enable() {
  CUpti_RangeProfiler_Enable_Params enable{};
  enable.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
  enable.ctx = device_.context;
  WARPCHECK_TRY(Call(api_.RangeProfilerEnable, &enable));
  profiler_ = enable.pRangeProfilerObject;

  CUpti_RangeProfiler_GetCounterDataSize_Params size{};
  size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = name_pointers_.data();
  size.numMetrics = name_pointers_.size();
  size.maxNumOfRanges = kRanges;
  size.maxNumRangeTreeNodes = kRanges;
  WARPCHECK_TRY(Call(api_.RangeProfilerGetCounterDataSize, &size));
  counter_data_.resize(size.counterDataSize);
  return {};
}

Result<> RangeProfiler::ClearCounters() {
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params clear{};
  clear.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
  clear.pRangeProfilerObject = profiler_;
  clear.counterDataSize = counter_data_.size();
  clear.pCounterData = counter_data_.data();
  return Call(api_.RangeProfilerCounterDataImageInitialize, &clear);
}

Result<> RangeProfiler::Configure() {
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
  return Call(api_.RangeProfilerSetConfig, &config);
}

Result<> RangeProfiler::Begin() {
  CUpti_RangeProfiler_Start_Params start{};
  start.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
  start.pRangeProfilerObject = profiler_;
  const auto until = std::chrono::steady_clock::now() + patience_;
  for (;;) {
    auto ready = ClearCounters().and_then([&] { return Configure(); });
    if (!ready) return ready;
    const CUptiResult status = api_.RangeProfilerStart.pointer(&start);
    if (status == CUPTI_SUCCESS) return {};
    if (status != CUPTI_ERROR_HARDWARE_BUSY || std::chrono::steady_clock::now() >= until) {
      patience_ = {};  // who holds the counters that long will go on
      return Fail(CuptiError(api_.RangeProfilerStart.name, status));
    }
    std::this_thread::sleep_for(kRetry);
  }
}

Result<> RangeProfiler::Start() {
  auto started = profiler_ == nullptr ? Enable() : Result<>();
  if (started) started = Begin();
  if (!started) Disable();
  return started;
}

Result<> RangeProfiler::End() {
  CUpti_RangeProfiler_Stop_Params stop{};
  stop.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
  stop.pRangeProfilerObject = profiler_;
  WARPCHECK_TRY(Call(api_.RangeProfilerStop, &stop));

  CUpti_RangeProfiler_DecodeData_Params decode{};
  decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
  decode.pRangeProfilerObject = profiler_;
  WARPCHECK_TRY(Call(api_.RangeProfilerDecodeData, &decode));

  CUpti_RangeProfiler_GetCounterDataInfo_Params info{};
  info.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  WARPCHECK_TRY(Call(api_.RangeProfilerGetCounterDataInfo, &info));
  if (decode.numOfRangeDropped == 0 && info.numTotalRanges == kRanges) return {};
  return Fail(
      fmt::format("counters were lost: CUPTI recorded {} ranges of one launch and dropped {}",
                  info.numTotalRanges, decode.numOfRangeDropped));
}

Result<std::map<std::string_view, std::uint64_t>> RangeProfiler::Evaluate() {
  std::vector<double> sums(metrics_.size());
  CUpti_Profiler_Host_EvaluateToGpuValues_Params evaluate{};
  evaluate.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = counter_data_.data();
  evaluate.counterDataImageSize = counter_data_.size();
  evaluate.ppMetricNames = name_pointers_.data();
  evaluate.numMetrics = name_pointers_.size();
  evaluate.pMetricValues = sums.data();
  WARPCHECK_TRY(Call(api_.ProfilerHostEvaluateToGpuValues, &evaluate));
  std::map<std::string_view, std::uint64_t> values;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!std::isfinite(sums[i]) || sums[i] < 0) {
      return Fail(fmt::format("counters were lost: CUPTI gives {} for {}", sums[i], metrics_[i]));
    }
    values[metrics_[i]] = static_cast<std::uint64_t>(std::llround(sums[i]));
  }
  return values;
}

Result<std::map<std::string_view, std::uint64_t>> RangeProfiler::Finish() {
  if (profiler_ == nullptr) return Fail("counters cannot be read: recording was not started");
  auto values = End().and_then([&] { return Evaluate(); });
  if (!values) Disable();
  return values;
}

void RangeProfiler::Disable() {
  if (profiler_ == nullptr) return;
  CUpti_RangeProfiler_Disable_Params disable{};
  disable.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
  disable.pRangeProfilerObject = profiler_;
  (void)api_.RangeProfilerDisable.pointer(&disable);
  profiler_ = nullptr;
}

}  // namespace warpcheck::gpu
