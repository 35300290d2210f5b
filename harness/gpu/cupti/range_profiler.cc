#include "gpu/cupti/range_profiler.h"

#include <fmt/format.h>

#include <string_view>
#include <thread>
#include <utility>

#include "base/text.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {
namespace {

// CUPTI fills the counter data with one range for each launch.
constexpr std::size_t kRanges = 1;
constexpr std::chrono::milliseconds kRetry(10);

}  // namespace

RangeProfiler::~RangeProfiler() {
  Release();
  if (host_ == nullptr) return;
  CUPTI_PARAMETERS(Profiler_Host_Deinitialize, deinitialize);
  deinitialize.pHostObject = host_;
  (void)api_.ProfilerHostDeinitialize.pointer(&deinitialize);
}

Result<> RangeProfiler::SetUp(const std::vector<std::string>& metrics) {
  CUPTI_PARAMETERS(Profiler_Initialize, initialize);
  WARPCHECK_TRY(Call(api_.ProfilerInitialize, &initialize));
  chip_ = WARPCHECK_TRY(ChipName(api_, device_));

  CUPTI_PARAMETERS(Profiler_Host_Initialize, host);
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip_.c_str();
  WARPCHECK_TRY(Call(api_.ProfilerHostInitialize, &host));
  host_ = host.pHostObject;
  WARPCHECK_TRY(ChooseMetrics(metrics));
  return MakeConfig();
}

// Tests each metric in advance, because after an unknown metric CUPTI's configuration accepts no
// other metric.
Result<> RangeProfiler::ChooseMetrics(const std::vector<std::string>& metrics) {
  const auto& function = api_.ProfilerHostGetMetricProperties;
  const std::vector<std::string_view> all(metrics.begin(), metrics.end());
  const auto unknown = UnknownOf(all, chip_, function.name, [&](std::string_view metric) {
    std::string name(metric);
    CUPTI_PARAMETERS(Profiler_Host_GetMetricProperties, properties);
    properties.pHostObject = host_;
    properties.pMetricName = name.c_str();
    const CUptiResult status = function.pointer(&properties);
    if (status == CUPTI_SUCCESS) metrics_.push_back(std::move(name));
    return status;
  });
  if (!unknown) return tl::unexpected(unknown.error());
  for (const std::string& name : metrics_) name_pointers_.push_back(name.c_str());
  return {};
}

Result<> RangeProfiler::MakeConfig() {
  CUPTI_PARAMETERS(Profiler_Host_ConfigAddMetrics, add);
  add.pHostObject = host_;
  add.ppMetricNames = name_pointers_.data();
  add.numMetrics = name_pointers_.size();
  WARPCHECK_TRY(Call(api_.ProfilerHostConfigAddMetrics, &add));

  CUPTI_PARAMETERS(Profiler_Host_GetConfigImageSize, size);
  size.pHostObject = host_;
  WARPCHECK_TRY(Call(api_.ProfilerHostGetConfigImageSize, &size));

  config_.resize(size.configImageSize);
  CUPTI_PARAMETERS(Profiler_Host_GetConfigImage, image);
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  return Call(api_.ProfilerHostGetConfigImage, &image);
}

Result<> RangeProfiler::Enable() {
  CUPTI_PARAMETERS(RangeProfiler_Enable, enable);
  enable.ctx = device_.context;
  WARPCHECK_TRY(Call(api_.RangeProfilerEnable, &enable));
  profiler_ = enable.pRangeProfilerObject;

  CUPTI_PARAMETERS(RangeProfiler_GetCounterDataSize, size);
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = name_pointers_.data();
  size.numMetrics = name_pointers_.size();
  size.maxNumOfRanges = kRanges;
  size.maxNumRangeTreeNodes = kRanges;
  WARPCHECK_TRY(Call(api_.RangeProfilerGetCounterDataSize, &size));
  counter_data_.resize(size.counterDataSize);
  return {};
}

// Clears the counters and sets which metrics are counted.
Result<> RangeProfiler::Configure() {
  CUPTI_PARAMETERS(RangeProfiler_CounterDataImage_Initialize, clear);
  clear.pRangeProfilerObject = profiler_;
  clear.counterDataSize = counter_data_.size();
  clear.pCounterData = counter_data_.data();
  WARPCHECK_TRY(Call(api_.RangeProfilerCounterDataImageInitialize, &clear));

  CUPTI_PARAMETERS(RangeProfiler_SetConfig, config);
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
  CUPTI_PARAMETERS(RangeProfiler_Start, start);
  start.pRangeProfilerObject = profiler_;
  const auto until = std::chrono::steady_clock::now() + patience_;
  for (;;) {
    WARPCHECK_TRY(Configure());
    const CUptiResult status = api_.RangeProfilerStart.pointer(&start);
    if (status == CUPTI_SUCCESS) return {};
    if (status != CUPTI_ERROR_HARDWARE_BUSY || std::chrono::steady_clock::now() >= until) {
      patience_ = {};  // a program that has kept the counters so long will not release them
      return Fail(CuptiError(api_.RangeProfilerStart.name, status));
    }
    std::this_thread::sleep_for(kRetry);
  }
}

Result<> RangeProfiler::Start() {
  auto started = profiler_ == nullptr ? Enable() : Result<>();
  if (started) started = Begin();
  if (!started) Release();
  return started;
}

Result<> RangeProfiler::End() {
  CUPTI_PARAMETERS(RangeProfiler_Stop, stop);
  stop.pRangeProfilerObject = profiler_;
  WARPCHECK_TRY(Call(api_.RangeProfilerStop, &stop));

  CUPTI_PARAMETERS(RangeProfiler_DecodeData, decode);
  decode.pRangeProfilerObject = profiler_;
  WARPCHECK_TRY(Call(api_.RangeProfilerDecodeData, &decode));

  CUPTI_PARAMETERS(RangeProfiler_GetCounterDataInfo, info);
  info.pCounterDataImage = counter_data_.data();
  info.counterDataImageSize = counter_data_.size();
  WARPCHECK_TRY(Call(api_.RangeProfilerGetCounterDataInfo, &info));
  if (decode.numOfRangeDropped == 0 && info.numTotalRanges == kRanges) return {};
  return Fail(fmt::format("counters were lost: CUPTI recorded {} of one launch and dropped {}",
                          Counted(info.numTotalRanges, "range"), decode.numOfRangeDropped));
}

Result<std::map<std::string, double>> RangeProfiler::Evaluate() {
  std::vector<double> results(metrics_.size());
  CUPTI_PARAMETERS(Profiler_Host_EvaluateToGpuValues, evaluate);
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = counter_data_.data();
  evaluate.counterDataImageSize = counter_data_.size();
  evaluate.ppMetricNames = name_pointers_.data();
  evaluate.numMetrics = name_pointers_.size();
  evaluate.pMetricValues = results.data();
  WARPCHECK_TRY(Call(api_.ProfilerHostEvaluateToGpuValues, &evaluate));
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < results.size(); ++i) values[metrics_[i]] = results[i];
  return values;
}

Result<std::map<std::string, double>> RangeProfiler::Finish() {
  if (profiler_ == nullptr) return Fail("counters cannot be read: recording was not started");
  auto values = End().and_then([&] { return Evaluate(); });
  if (!values) Release();
  return values;
}

void RangeProfiler::Release() {
  if (profiler_ == nullptr) return;
  CUPTI_PARAMETERS(RangeProfiler_Disable, disable);
  disable.pRangeProfilerObject = profiler_;
  (void)api_.RangeProfilerDisable.pointer(&disable);
  profiler_ = nullptr;
}

}  // namespace warpcheck::gpu
