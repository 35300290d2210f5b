#include "device/record_json.h"

namespace warpcheck {

nlohmann::ordered_json JsonOf<CounterSet>::To(const CounterSet& counters) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const Counter counter : kAllCounters) {
    if (const auto value = counters[counter]) object[std::string(Info(counter).name)] = *value;
  }
  return object;
}

CounterSet JsonOf<CounterSet>::From(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) throw std::runtime_error(fmt::format("\"{}\" is not an object", name));
  CounterSet counters;
  for (const auto& [counter_name, value] : object.items()) {
    const auto counter = CounterNamed(counter_name);
    if (!counter) throw std::runtime_error(fmt::format("unknown counter \"{}\"", counter_name));
    counters.Set(*counter, IntegerIn<std::uint64_t>(value, counter_name.c_str()));
  }
  return counters;
}

template nlohmann::ordered_json ToJson<Finding>(const Finding&);
template nlohmann::ordered_json ToJson<LaunchRecord>(const LaunchRecord&);
template Finding FromJson<Finding>(const nlohmann::json&);
template LaunchRecord FromJson<LaunchRecord>(const nlohmann::json&);

}  // namespace warpcheck
