// The JSON form of what a device saw, one way and back (base/json_record.h): for results files, and
// between processes.
#pragma once

#include "base/json_record.h"
#include "device/finding.h"
#include "device/launch_record.h"

namespace warpcheck {

template <>
inline constexpr auto kFieldsOf<Dim3> =
    std::tuple{RecordField{"x", &Dim3::x}, RecordField{"y", &Dim3::y}, RecordField{"z", &Dim3::z}};

template <>
inline constexpr auto kNamesOf<FindingKind> = EnumNames<FindingKind>{Name, FindingKindNamed};

template <>
inline constexpr auto kFieldsOf<Gap> =
    std::tuple{RecordField{"after", &Gap::after}, RecordField{"before", &Gap::before},
               RecordField{"barrier", &Gap::barrier}};

template <>
inline constexpr auto kFieldsOf<ThreadPosition> = std::tuple{
    RecordField{"block", &ThreadPosition::block}, RecordField{"thread", &ThreadPosition::thread},
    RecordField{"lane", &ThreadPosition::lane}};

template <>
inline constexpr auto kFieldsOf<Finding> =
    std::tuple{RecordField{"kind", &Finding::kind},     RecordField{"where", &Finding::where},
               RecordField{"kernel", &Finding::kernel}, RecordField{"message", &Finding::message},
               RecordField{"count", &Finding::count},   IfChanged("hint", &Finding::hint),
               IfChanged("caller", &Finding::caller),   RecordField{"gap", &Finding::gap},
               IfChanged("other", &Finding::other),     RecordField{"thread", &Finding::thread}};

// An object of those that were counted, by their names.
template <>
struct JsonOf<CounterSet> {
  static nlohmann::ordered_json To(const CounterSet& counters);
  static CounterSet From(const nlohmann::json& object, const char* name);
};

template <>
inline constexpr auto kFieldsOf<LineCounters> = std::tuple{
    RecordField{"where", &LineCounters::where}, RecordField{"counters", &LineCounters::counters}};

template <>
inline constexpr auto kFieldsOf<LaunchTiming> =
    std::tuple{RecordField{"median_us", &LaunchTiming::median_us},
               RecordField{"fastest_us", &LaunchTiming::fastest_us},
               RecordField{"runs", &LaunchTiming::runs},
               RecordField{"sm_clock_mhz", &LaunchTiming::sm_clock_mhz},
               RecordField{"memory_clock_mhz", &LaunchTiming::memory_clock_mhz},
               RecordField{"copy_bytes_per_second", &LaunchTiming::copy_bytes_per_second}};

template <>
inline constexpr auto kFieldsOf<LaunchResources> =
    std::tuple{RecordField{"registers", &LaunchResources::registers},
               RecordField{"local_bytes", &LaunchResources::local_bytes},
               RecordField{"active_blocks", &LaunchResources::active_blocks},
               RecordField{"occupancy", &LaunchResources::occupancy}};

template <>
inline constexpr auto kFieldsOf<LaunchRecord> =
    std::tuple{RecordField{"kernel", &LaunchRecord::kernel},
               RecordField{"grid", &LaunchRecord::grid},
               RecordField{"block", &LaunchRecord::block},
               RecordField{"shared_bytes", &LaunchRecord::shared_bytes},
               RecordField{"error", &LaunchRecord::error},
               RecordField{"counters", &LaunchRecord::totals},
               RecordField{"lines", &LaunchRecord::lines},
               RecordField{"findings", &LaunchRecord::findings},
               IfChanged("not_measured", &LaunchRecord::not_measured),
               IfChanged("unseen", &LaunchRecord::unseen),
               IfChanged("launches", &LaunchRecord::launches),
               RecordField{"timing", &LaunchRecord::timing},
               RecordField{"resources", &LaunchRecord::resources}};

// Compiled once, in record_json.cc.
extern template nlohmann::ordered_json ToJson<Finding>(const Finding&);
extern template nlohmann::ordered_json ToJson<LaunchRecord>(const LaunchRecord&);
extern template Finding FromJson<Finding>(const nlohmann::json&);
extern template LaunchRecord FromJson<LaunchRecord>(const nlohmann::json&);

}  // namespace warpcheck
