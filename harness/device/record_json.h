// The JSON form of what a device saw, one way and back (base/json_record.h): for results files, and
// between processes.
#pragma once

#include "base/json_record.h"
#include "device/finding.h"
#include "device/launch_record.h"

namespace warpcheck {

constexpr auto NamesOf(std::type_identity<FindingKind>) {
  return EnumNames<FindingKind>{Name, FindingKindNamed};
}

WARPCHECK_FIELDS(Gap, after, before, barrier);

WARPCHECK_FIELDS(ThreadPosition, block, thread, lane);

WARPCHECK_FIELDS(Finding, kind, where, kernel, message, count, gap, thread);
WARPCHECK_FIELDS_IF_CHANGED(Finding, hint, caller, other);

// An object of those that were counted, by their names.
template <>
struct JsonOf<CounterSet> {
  static nlohmann::ordered_json To(const CounterSet& counters);
  static CounterSet From(const nlohmann::json& object, const char* name);
};

WARPCHECK_FIELDS(LineCounters, where, counters);

WARPCHECK_FIELDS(LaunchTiming, median_us, fastest_us, runs, sm_clock_mhz, memory_clock_mhz,
                 copy_bytes_per_second);

WARPCHECK_FIELDS(LaunchResources, registers, local_bytes, active_blocks, occupancy);

WARPCHECK_FIELDS(LaunchRecord, kernel, grid, block, shared_bytes, error, counters, lines, findings,
                 timing, resources);
WARPCHECK_FIELDS_IF_CHANGED(LaunchRecord, not_measured, unseen, launches);

// Compiled once, in record_json.cc.
extern template nlohmann::ordered_json ToJson<Finding>(const Finding&);
extern template nlohmann::ordered_json ToJson<LaunchRecord>(const LaunchRecord&);
extern template Finding FromJson<Finding>(const nlohmann::json&);
extern template LaunchRecord FromJson<LaunchRecord>(const nlohmann::json&);

}  // namespace warpcheck
