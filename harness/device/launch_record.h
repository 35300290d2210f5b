// What one kernel launch did: data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/source_location.h"
#include "device/counters.h"
#include "device/device_error.h"
#include "device/finding.h"
#include "device/types.h"

namespace warpcheck {

struct LineCounters {
  SourceLocation where;  // file and line of the student's source; column 0
  CounterSet counters;

  friend bool operator==(const LineCounters&, const LineCounters&) = default;
};

struct LaunchRecord {
  std::string kernel;  // demangled, with its parameter types
  Dim3 grid;
  Dim3 block;
  std::uint64_t shared_bytes = 0;  // static and dynamic, a block
  DeviceError error = DeviceError::kSuccess;
  CounterSet totals;
  std::vector<LineCounters> lines;  // sorted by file and line; their sum is `totals`
  std::vector<Finding> findings;    // in the order of their first occurrence

  friend bool operator==(const LaunchRecord&, const LaunchRecord&) = default;
};

}  // namespace warpcheck
