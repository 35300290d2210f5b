// From CUPTI's status codes to text for people: why counters cannot be read, and what to do.
#pragma once

#include <string>
#include <string_view>

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

// Calls a function of the table, whose failure becomes an Error.
template <class Params>
Result<> Call(const CuptiFunction<Params>& function, Params& params) {
  const CUptiResult status = function.pointer(&params);
  if (status != CUPTI_SUCCESS) return Fail(CuptiError(function.name, status));
  return {};
}

// "GH100": the name by which CUPTI knows the device's metrics.
Result<std::string> ChipName(const CuptiApi& api, const CuptiDevice& device);

}  // namespace warpcheck::gpu
