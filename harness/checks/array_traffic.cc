#include "checks/array_traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace warpcheck {
namespace {

// Returns the counters of a line that accesses no global memory.
CounterSet NoTraffic() {
  CounterSet none;
  for (const Counter counter : kAllCounters) {
    if (IsByArray(counter)) none.Set(counter, 0);
  }
  return none;
}

// Adds the counters of global memory, and the examples of accesses, of a line.
void Add(LineCounters& sum, const LineCounters& line) {
  for (const Counter counter : kAllCounters) {
    if (!IsByArray(counter)) continue;
    sum.counters.Set(counter, sum.counters.OrZero(counter) + line.counters.OrZero(counter));
  }
  for (const AccessExample& example : line.examples) {
    if (std::ranges::find(sum.examples, example) == sum.examples.end()) {
      sum.examples.push_back(example);
    }
  }
  std::ranges::sort(sum.examples, &IsWorse);
}

class Selection {
 public:
  Selection(const Trial& trial, const ArrayNames& arrays) {
    for (const ArrayEnd& array : trial.arrays) {
      const bool selected = std::ranges::find(arrays, array.name) != arrays.end();
      (selected ? selected_ : left_out_).insert(array.address);
    }
  }

  bool other_memory() const { return other_memory_; }

  // Returns the launch with the selected accesses.
  LaunchRecord Of(const LaunchRecord& launch) {
    LaunchRecord only;
    only.kernel = launch.kernel;
    only.grid = launch.grid;
    only.block = launch.block;
    only.shared_bytes = launch.shared_bytes;
    only.resources = launch.resources;
    only.unseen = launch.unseen;
    only.launches = launch.launches;
    if (!launch.arrays) {
      only.not_measured = "only the emulator counts the accesses to each array apart";
      return only;
    }
    std::map<SourceLocation, LineCounters> lines;
    for (const ArrayCounters& array : *launch.arrays) {
      if (left_out_.contains(array.begin)) continue;
      other_memory_ = other_memory_ || !selected_.contains(array.begin);
      for (const LineCounters& line : array.lines) {
        const auto [known, added] = lines.try_emplace(line.where);
        if (added) known->second = {.where = line.where, .counters = NoTraffic()};
        Add(known->second, line);
      }
    }
    LineCounters total{.where = {}, .counters = NoTraffic()};
    for (auto& [where, line] : lines) {
      const auto whole = std::ranges::find(launch.lines, where, &LineCounters::where);
      if (whole != launch.lines.end()) line.polls = whole->polls;
      Add(total, line);
      only.lines.push_back(std::move(line));
    }
    only.counters = total.counters;
    return only;
  }

 private:
  std::set<DeviceAddress> selected_;
  std::set<DeviceAddress> left_out_;
  bool other_memory_ = false;
};

}  // namespace

bool IsByArray(Counter counter) {
  const std::string_view name = Info(counter).name;
  return name.starts_with("global_") || name.starts_with("read_only_");
}

std::string WhyNoArrays(const Trial& trial, const ArrayNames& arrays) {
  std::vector<std::string> names;
  for (const ArrayEnd& array : trial.arrays) {
    if (!array.name.empty()) names.push_back(array.name);
  }
  for (const std::string& wanted : arrays) {
    if (std::ranges::find(names, wanted) != names.end()) continue;
    return fmt::format("Of(\"{}\"): {} has no array of this name. Its arrays are named {}", wanted,
                       trial.function,
                       names.empty() ? "nowhere: the header must name the parameters"
                                     : fmt::format("{}", fmt::join(names, ", ")));
  }
  return {};
}

std::string TextOf(const ArrayNames& arrays) {
  return fmt::format("array{} {}", arrays.size() == 1 ? "" : "s", fmt::join(arrays, " and "));
}

ArrayTraffic TrafficOf(const Trial& trial, const ArrayNames& arrays) {
  Selection selection(trial, arrays);
  ArrayTraffic traffic;
  for (const LaunchRecord& launch : trial.launches) {
    if (launch.error == DeviceError::kSuccess) traffic.launches.push_back(selection.Of(launch));
  }
  traffic.other_memory = selection.other_memory();
  return traffic;
}

}  // namespace warpcheck
