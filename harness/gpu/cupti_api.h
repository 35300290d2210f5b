// CUPTI, NVIDIA's profiling interface, loaded at run time: a build serves machines without it, and
// tests put a fake in place of the table.
#pragma once

#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"

namespace warpcheck::gpu {

// A function with its name, for messages.
template <class... Arguments>
struct CuptiFunction {
  const char* name;
  CUptiResult (*pointer)(Arguments...) = nullptr;
};
template <class... Arguments>
CuptiFunction<Arguments...> FunctionLike(CUptiResult (*)(Arguments...));  // for its type

struct CuptiApi {
#define CUPTI_FUNCTION(Name) decltype(FunctionLike(&cupti##Name)) Name{"cupti" #Name};
#include "gpu/cupti_api.def"
#undef CUPTI_FUNCTION
};

// The GPU that is measured, and the context in which its kernels run.
struct CuptiDevice {
  std::uint32_t ordinal = 0;
  CUcontext context = nullptr;
};

// CUPTI, loaded once a process. Needs no GPU. Fails with what to do where it is missing or too old.
Result<const CuptiApi*> LoadCupti();

// Where it is looked for, in this order: the library path, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda.
std::vector<std::string> CuptiPaths();
// Loads the first of `paths` that there is; it stays loaded.
Result<CuptiApi> LoadCuptiFrom(std::span<const std::string> paths);

// From CUPTI's status codes to text for people: why counters cannot be read, and what to do.

// "counters cannot be read: another profiler is at work (cuptiXxx: CUPTI_ERROR_..., 39)".
Error CuptiError(std::string_view function, CUptiResult status);

// CUPTI does not know the metric, or not on this chip: both profilers answer so.
inline bool IsUnknownMetric(CUptiResult status) {
  return status == CUPTI_ERROR_INVALID_PARAMETER || status == CUPTI_ERROR_INVALID_METRIC_NAME ||
         status == CUPTI_ERROR_INVALID_METRIC_ID;
}

// "CUPTI has no smsp__sass_... for GH100".
Error UnknownMetrics(const std::vector<std::string_view>& metrics, std::string_view chip);

// Calls a function of the table, whose failure becomes an Error.
template <class... Arguments>
Result<> Call(const CuptiFunction<Arguments...>& function,
              std::type_identity_t<Arguments>... arguments) {
  const CUptiResult status = function.pointer(arguments...);
  if (status != CUPTI_SUCCESS) return Fail(CuptiError(function.name, status));
  return {};
}

// "GH100": the name by which CUPTI knows the device's metrics.
Result<std::string> ChipName(const CuptiApi& api, const CuptiDevice& device);

}  // namespace warpcheck::gpu
