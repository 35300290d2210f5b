#include "gpu/cupti_fake.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace warpcheck::gpu {
namespace {

CuptiFake* current = nullptr;

constexpr std::size_t kImageBytes = 24;
int host_object = 0;
int profiler_object = 0;
int subscriber_object = 0;

CUptiResult Enter(const char* function) {
  current->calls.emplace_back(function);
  const auto failure = current->failures.find(function);
  return failure == current->failures.end() ? CUPTI_SUCCESS : failure->second;
}

// Returns from the calling function if a test wants the function to fail, or if it is called
// wrongly.
#define ENTER(function, right)                                             \
  if (const CUptiResult r = Enter(function); r != CUPTI_SUCCESS) return r; \
  if (!(right)) return CUPTI_ERROR_INVALID_PARAMETER

// The Range Profiler knows sums, shares of a peak rate, and ratios.
bool IsShare(const std::string& metric) {
  return metric.find(".pct_of_peak_sustained_") != std::string::npos || metric.ends_with(".ratio");
}

std::string WithoutSum(const char* metric) {
  std::string name = metric;
  if (IsShare(name)) return name;
  return name.ends_with(".sum") ? name.substr(0, name.size() - 4) : "?" + name;
}

bool Known(const std::string& metric) {
  return (metric.starts_with("smsp__sass_") || IsShare(metric)) &&
         !current->unknown_metrics.contains(metric);
}

bool IsHost(const void* object) { return object == &host_object; }
bool IsProfiler(const void* object) { return object == &profiler_object && current->enabled; }

CUptiResult ProfilerInitialize(CUpti_Profiler_Initialize_Params* p) {
  ENTER("cuptiProfilerInitialize", p->structSize == CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  return CUPTI_SUCCESS;
}

CUptiResult ActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                      CUpti_BuffersCallbackCompleteFunc complete) {
  ENTER("cuptiActivityRegisterCallbacks", request != nullptr && complete != nullptr);
  current->request_buffer = request;
  current->complete_buffer = complete;
  return CUPTI_SUCCESS;
}

CUptiResult ActivityEnable(CUpti_ActivityKind kind) {
  ENTER("cuptiActivityEnable",
        kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && current->request_buffer != nullptr);
  current->records_kernels = true;
  return CUPTI_SUCCESS;
}

CUptiResult ActivityDisable(CUpti_ActivityKind kind) {
  ENTER("cuptiActivityDisable", kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  current->records_kernels = false;
  return CUPTI_SUCCESS;
}

// Fills as many buffers as the records need, with a record of another kind before each kernel's.
CUptiResult ActivityFlushAll(std::uint32_t) {
  ENTER("cuptiActivityFlushAll", current->request_buffer != nullptr);
  std::size_t done = 0;
  while (current->records_kernels && done < current->kernel_times.size()) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0;
    std::size_t most = 0;
    current->request_buffer(&buffer, &size, &most);
    if (buffer == nullptr || reinterpret_cast<std::uintptr_t>(buffer) % 8 != 0) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    std::size_t valid = 0;
    constexpr std::size_t kBytes = sizeof(CUpti_ActivityKernel10);
    for (; done < current->kernel_times.size() && valid + 2 * kBytes <= size; ++done) {
      for (const bool is_kernel : {false, true}) {
        CUpti_ActivityKernel10 record{};
        record.kind =
            is_kernel ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL : CUPTI_ACTIVITY_KIND_MEMSET;
        record.start = current->kernel_times[done].first;
        record.end = current->kernel_times[done].second;
        std::memcpy(buffer + valid, &record, kBytes);
        valid += kBytes;
      }
    }
    current->complete_buffer(nullptr, 0, buffer, size, valid);
  }
  current->kernel_times.clear();
  return CUPTI_SUCCESS;
}

CUptiResult ActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid,
                                  CUpti_Activity** record) {
  auto* const at = reinterpret_cast<std::uint8_t*>(*record);
  std::uint8_t* const next = at == nullptr ? buffer : at + sizeof(CUpti_ActivityKernel10);
  if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

CUptiResult DeviceGetChipName(CUpti_Device_GetChipName_Params* p) {
  ENTER("cuptiDeviceGetChipName", p->structSize == CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  p->pChipName = current->chip.c_str();
  return CUPTI_SUCCESS;
}

CUptiResult ProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* p) {
  ENTER("cuptiProfilerHostInitialize", p->profilerType == CUPTI_PROFILER_TYPE_RANGE_PROFILER);
  if (current->chip != p->pChipName) return CUPTI_ERROR_INVALID_CHIP_NAME;
  p->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(&host_object);
  return CUPTI_SUCCESS;
}

CUptiResult ProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* p) {
  ENTER("cuptiProfilerHostDeinitialize", IsHost(p->pHostObject));
  return CUPTI_SUCCESS;
}

CUptiResult GetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params* p) {
  ENTER("cuptiProfilerHostGetMetricProperties", IsHost(p->pHostObject));
  return Known(WithoutSum(p->pMetricName)) ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_METRIC_NAME;
}

CUptiResult ConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
  ENTER("cuptiProfilerHostConfigAddMetrics", IsHost(p->pHostObject));
  if (current->poisoned) return CUPTI_ERROR_UNKNOWN;
  for (std::size_t i = 0; i < p->numMetrics; ++i) {
    if (!Known(WithoutSum(p->ppMetricNames[i]))) current->poisoned = true;
  }
  return current->poisoned ? CUPTI_ERROR_INVALID_PARAMETER : CUPTI_SUCCESS;
}

CUptiResult GetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
  ENTER("cuptiProfilerHostGetConfigImageSize", IsHost(p->pHostObject));
  p->configImageSize = kImageBytes;
  return CUPTI_SUCCESS;
}

CUptiResult GetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* p) {
  ENTER("cuptiProfilerHostGetConfigImage", p->configImageSize == kImageBytes);
  std::fill_n(p->pConfigImage, kImageBytes, std::uint8_t{1});
  return CUPTI_SUCCESS;
}

CUptiResult EvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
  ENTER("cuptiProfilerHostEvaluateToGpuValues",
        IsHost(p->pHostObject) && p->counterDataImageSize == kImageBytes && p->rangeIndex == 0);
  for (std::size_t i = 0; i < p->numMetrics; ++i) {
    const auto found = current->counters.find(WithoutSum(p->ppMetricNames[i]));
    p->pMetricValues[i] = found == current->counters.end() ? 0 : found->second;
  }
  return CUPTI_SUCCESS;
}

CUptiResult RangeEnable(CUpti_RangeProfiler_Enable_Params* p) {
  ENTER("cuptiRangeProfilerEnable", !current->enabled);
  current->enabled = true;
  p->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(&profiler_object);
  return CUPTI_SUCCESS;
}

CUptiResult RangeDisable(CUpti_RangeProfiler_Disable_Params* p) {
  const bool right = IsProfiler(p->pRangeProfilerObject);
  current->enabled = false;
  current->started = false;
  ENTER("cuptiRangeProfilerDisable", right);
  return CUPTI_SUCCESS;
}

CUptiResult GetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* p) {
  ENTER("cuptiRangeProfilerGetCounterDataSize",
        IsProfiler(p->pRangeProfilerObject) && p->maxNumRangeTreeNodes >= p->maxNumOfRanges);
  p->counterDataSize = kImageBytes;
  return CUPTI_SUCCESS;
}

CUptiResult CounterDataInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params* p) {
  ENTER("cuptiRangeProfilerCounterDataImageInitialize",
        IsProfiler(p->pRangeProfilerObject) && p->counterDataSize == kImageBytes);
  std::fill_n(p->pCounterData, kImageBytes, std::uint8_t{2});
  return CUPTI_SUCCESS;
}

CUptiResult RangeSetConfig(CUpti_RangeProfiler_SetConfig_Params* p) {
  ENTER("cuptiRangeProfilerSetConfig",
        IsProfiler(p->pRangeProfilerObject) && p->configSize == kImageBytes && p->pConfig[0] == 1 &&
            p->pCounterDataImage[0] == 2 && p->range == CUPTI_AutoRange &&
            p->replayMode == CUPTI_KernelReplay && p->numNestingLevels == 1);
  return CUPTI_SUCCESS;
}

CUptiResult RangeStart(CUpti_RangeProfiler_Start_Params* p) {
  ENTER("cuptiRangeProfilerStart", IsProfiler(p->pRangeProfilerObject));
  if (current->busy_starts > 0) {
    --current->busy_starts;
    return CUPTI_ERROR_HARDWARE_BUSY;
  }
  current->started = true;
  return CUPTI_SUCCESS;
}

CUptiResult RangeStop(CUpti_RangeProfiler_Stop_Params* p) {
  ENTER("cuptiRangeProfilerStop", IsProfiler(p->pRangeProfilerObject));
  if (!current->started) return CUPTI_ERROR_INVALID_OPERATION;
  current->started = false;
  return CUPTI_SUCCESS;
}

CUptiResult DecodeData(CUpti_RangeProfiler_DecodeData_Params* p) {
  ENTER("cuptiRangeProfilerDecodeData", IsProfiler(p->pRangeProfilerObject) && !current->started);
  p->numOfRangeDropped = current->dropped_ranges;
  return CUPTI_SUCCESS;
}

CUptiResult GetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* p) {
  ENTER("cuptiRangeProfilerGetCounterDataInfo", p->counterDataImageSize == kImageBytes);
  p->numTotalRanges = current->ranges;
  return CUPTI_SUCCESS;
}

CUptiResult SassGetProperties(CUpti_SassMetrics_GetProperties_Params* p) {
  ENTER("cuptiSassMetricsGetProperties", current->chip == p->pChipName && Known(p->pMetricName));
  p->metric.metricId = current->Number(p->pMetricName);
  return CUPTI_SUCCESS;
}

CUptiResult SassSetConfig(CUpti_SassMetricsSetConfig_Params* p) {
  ENTER("cuptiSassMetricsSetConfig", p->numOfMetricConfig > 0);
  if (current->set_once) return CUPTI_ERROR_OUT_OF_MEMORY;
  current->set_once = current->configured = true;
  return CUPTI_SUCCESS;
}

CUptiResult SassUnsetConfig(CUpti_SassMetricsUnsetConfig_Params*) {
  ENTER("cuptiSassMetricsUnsetConfig", true);
  if (!current->configured) return CUPTI_ERROR_INVALID_OPERATION;
  current->configured = false;
  return CUPTI_SUCCESS;
}

CUptiResult SassEnable(CUpti_SassMetricsEnable_Params* p) {
  ENTER("cuptiSassMetricsEnable", p->enableLazyPatching == 1);
  if (!current->configured || current->recording) return CUPTI_ERROR_INVALID_OPERATION;
  current->recording = true;
  return CUPTI_SUCCESS;
}

CUptiResult SassDisable(CUpti_SassMetricsDisable_Params* p) {
  ENTER("cuptiSassMetricsDisable", true);
  if (!current->recording) return CUPTI_ERROR_INVALID_OPERATION;
  current->recording = false;
  p->numOfDroppedRecords = current->dropped_records;
  return CUPTI_SUCCESS;
}

CUptiResult SassGetDataProperties(CUpti_SassMetricsGetDataProperties_Params* p) {
  ENTER("cuptiSassMetricsGetDataProperties", current->recording);
  p->numOfPatchedInstructionRecords = current->records.size();
  p->numOfInstances = 1;
  return CUPTI_SUCCESS;
}

CUptiResult SassFlushData(CUpti_SassMetricsFlushData_Params* p) {
  ENTER("cuptiSassMetricsFlushData",
        current->recording && p->numOfPatchedInstructionRecords == current->records.size() &&
            p->numOfInstances == 1);
  for (std::size_t i = 0; i < current->records.size(); ++i) {
    const CuptiFake::Record& record = current->records[i];
    CUpti_SassMetrics_Data& data = p->pMetricsData[i];
    if (data.structSize == 0) return CUPTI_ERROR_INVALID_PARAMETER;
    data.functionName = record.function.c_str();
    data.pcOffset = record.offset;
    data.pInstanceValues[0] = {current->Number(record.metric), record.value};
  }
  return CUPTI_SUCCESS;
}

CUptiResult SassToSource(CUpti_GetSassToSourceCorrelationParams* p) {
  ENTER("cuptiGetSassToSourceCorrelation", p->cubin != nullptr && p->cubinSize != 0);
  const auto offset = static_cast<std::uint32_t>(p->pcOffset);
  const auto place = current->places.find({p->functionName, offset});
  // There is no line, so there are no names.
  if (place == current->places.end()) return CUPTI_SUCCESS;
  p->lineNumber = place->second.line;
  p->fileName = ::strdup(place->second.file.c_str());
  p->dirName = ::strdup(place->second.folder.c_str());
  return CUPTI_SUCCESS;
}

CUptiResult Subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data) {
  ENTER("cuptiSubscribe", callback != nullptr);
  if (current->callback != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&subscriber_object);
  current->callback = callback;
  current->callback_data = data;
  return CUPTI_SUCCESS;
}

CUptiResult Unsubscribe(CUpti_SubscriberHandle) {
  ENTER("cuptiUnsubscribe", current->callback != nullptr);
  current->callback = nullptr;
  current->callback_enabled = false;
  return CUPTI_SUCCESS;
}

CUptiResult EnableCallback(std::uint32_t on, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                           CUpti_CallbackId id) {
  ENTER("cuptiEnableCallback",
        domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_MODULE_LOADED);
  current->callback_enabled = on != 0;
  return CUPTI_SUCCESS;
}

}  // namespace

CuptiFake::CuptiFake() {
  if (current != nullptr) throw std::logic_error("two CuptiFakes");
  current = this;
  api.ProfilerInitialize.pointer = ProfilerInitialize;
  api.DeviceGetChipName.pointer = DeviceGetChipName;
  api.ProfilerHostInitialize.pointer = ProfilerHostInitialize;
  api.ProfilerHostDeinitialize.pointer = ProfilerHostDeinitialize;
  api.ProfilerHostGetMetricProperties.pointer = GetMetricProperties;
  api.ProfilerHostConfigAddMetrics.pointer = ConfigAddMetrics;
  api.ProfilerHostGetConfigImageSize.pointer = GetConfigImageSize;
  api.ProfilerHostGetConfigImage.pointer = GetConfigImage;
  api.ProfilerHostEvaluateToGpuValues.pointer = EvaluateToGpuValues;
  api.RangeProfilerEnable.pointer = RangeEnable;
  api.RangeProfilerDisable.pointer = RangeDisable;
  api.RangeProfilerGetCounterDataSize.pointer = GetCounterDataSize;
  api.RangeProfilerCounterDataImageInitialize.pointer = CounterDataInitialize;
  api.RangeProfilerSetConfig.pointer = RangeSetConfig;
  api.RangeProfilerStart.pointer = RangeStart;
  api.RangeProfilerStop.pointer = RangeStop;
  api.RangeProfilerDecodeData.pointer = DecodeData;
  api.RangeProfilerGetCounterDataInfo.pointer = GetCounterDataInfo;
  api.SassMetricsGetProperties.pointer = SassGetProperties;
  api.SassMetricsSetConfig.pointer = SassSetConfig;
  api.SassMetricsUnsetConfig.pointer = SassUnsetConfig;
  api.SassMetricsEnable.pointer = SassEnable;
  api.SassMetricsDisable.pointer = SassDisable;
  api.SassMetricsGetDataProperties.pointer = SassGetDataProperties;
  api.SassMetricsFlushData.pointer = SassFlushData;
  api.GetSassToSourceCorrelation.pointer = SassToSource;
  api.ActivityRegisterCallbacks.pointer = ActivityRegisterCallbacks;
  api.ActivityEnable.pointer = ActivityEnable;
  api.ActivityDisable.pointer = ActivityDisable;
  api.ActivityFlushAll.pointer = ActivityFlushAll;
  api.ActivityGetNextRecord.pointer = ActivityGetNextRecord;
  api.Subscribe.pointer = Subscribe;
  api.Unsubscribe.pointer = Unsubscribe;
  api.EnableCallback.pointer = EnableCallback;
}

CuptiFake::~CuptiFake() { current = nullptr; }

void CuptiFake::LoadModule(std::string cubin) {
  if (callback == nullptr || !callback_enabled) return;
  CUpti_ModuleResourceData module{};
  module.pCubin = cubin.data();
  module.cubinSize = cubin.size();
  CUpti_ResourceData resource{};
  resource.resourceDescriptor = &module;
  callback(callback_data, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED, &resource);
}

std::uint64_t CuptiFake::Number(const std::string& metric) {
  const auto found = std::find(numbered.begin(), numbered.end(), metric);
  if (found != numbered.end()) return static_cast<std::uint64_t>(found - numbered.begin());
  numbered.push_back(metric);
  return numbered.size() - 1;
}

}  // namespace warpcheck::gpu
