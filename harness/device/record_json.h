// Converts findings and launch records to JSON and back (base/json/record.h), for results files and
// between processes.
#pragma once

#include "base/json/record.h"
#include "device/finding.h"
#include "device/launch_record.h"

namespace warpcheck {

// The object has the counters that were measured, by their names.
template <>
struct JsonOf<CounterSet> {
  static nlohmann::ordered_json To(const CounterSet& counters);
  static CounterSet From(const nlohmann::json& object, const char* name);
};

// These functions are compiled once, in record_json.cc.
extern template nlohmann::ordered_json ToJson<Finding>(const Finding&);
extern template nlohmann::ordered_json ToJson<LaunchRecord>(const LaunchRecord&);
extern template Finding FromJson<Finding>(const nlohmann::json&);
extern template LaunchRecord FromJson<LaunchRecord>(const nlohmann::json&);

}  // namespace warpcheck
