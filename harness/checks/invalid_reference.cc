#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "checks/mismatch.h"
#include "checks/runner.h"

namespace warpcheck {
namespace {

// Where inputs hold NaN, results may.
template <class T>
bool HasNanOrNothing(const ArrayEnd& array, bool nan_is_fine) {
  if (array.start->type != typeid(T)) return false;
  for (std::size_t at = 0; at < array.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, array.bytes.data() + at, sizeof(T));
    if (std::isnan(value) && !(nan_is_fine && !IsUnwritten(value))) return true;
  }
  return false;
}

template <class T>
bool HasNan(const ArrayStart& array) {
  if (array.type != typeid(T)) return false;
  for (std::size_t at = 0; at < array.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, array.bytes.data() + at, sizeof(T));
    if (std::isnan(value)) return true;
  }
  return false;
}

bool InputsHoldNan(const Trial& trial) {
  return std::ranges::any_of(trial.arrays, [](const ArrayEnd& array) {
    return array.start->is_input && (HasNan<float>(*array.start) || HasNan<double>(*array.start));
  });
}

}  // namespace

std::string InvalidReference(const Trial& trial) {
  if (!trial.returned()) return "an exception left it: " + trial.outcome.text;
  for (const Finding& finding : trial.AllFindings()) {
    return fmt::format("{}{}{}", finding.where.Text(), finding.where.known() ? ": " : "",
                       finding.message);
  }
  for (const LaunchRecord& launch : trial.launches) {
    if (launch.error != DeviceError::kSuccess) {
      return fmt::format("{}: {}", launch.kernel, CudaErrorName(launch.error));
    }
  }
  if (trial.outcome.last_error != 0) {
    return fmt::format("it leaves {} behind",
                       CudaErrorName(static_cast<DeviceError>(trial.outcome.last_error)));
  }
  const bool may_hold_nan = InputsHoldNan(trial);
  for (const ArrayEnd& array : trial.arrays) {
    if (array.start->is_input && array.bytes != array.start->bytes) return "it changes its input";
    if (!array.start->is_input && (HasNanOrNothing<float>(array, may_hold_nan) ||
                                   HasNanOrNothing<double>(array, may_hold_nan))) {
      return "it leaves NaN in its output";
    }
  }
  return {};
}

}  // namespace warpcheck
