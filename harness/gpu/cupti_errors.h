// From CUPTI's status codes to text for people: why counters cannot be read, and what to do.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "gpu/cupti_api.h"

namespace warpcheck::gpu {

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
