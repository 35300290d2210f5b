#include "checks/array_traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "device/lanes.h"
#include "provenance/byte_moves.h"

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

// Returns the part of a line that brings values to lanes: loads, and atomics whose result is used.
// Nullopt if there is none.
std::optional<LineCounters> ReadsOf(const LineCounters& line) {
  LineCounters reads = line;
  CounterSet& counters = reads.counters;
  const auto sum = [&](Counter loads, Counter atomics) {
    return counters.OrZero(loads) + counters.OrZero(atomics);
  };
  const std::uint64_t sectors = sum(Counter::kGlobalLoadSectors, Counter::kGlobalAtomicSectors);
  if (sectors == 0) return std::nullopt;
  const std::uint64_t requests = sum(Counter::kGlobalLoadRequests, Counter::kGlobalAtomicRequests);
  counters.Set(Counter::kGlobalSectors, sectors);
  counters.Set(Counter::kGlobalSectorsIdeal,
               std::min(sectors, counters.OrZero(Counter::kGlobalSectorsIdeal)));
  counters.Set(Counter::kGlobalBytes, sum(Counter::kGlobalLoadBytes, Counter::kGlobalAtomicBytes));
  counters.Set(Counter::kGlobalRequests, requests);
  counters.Set(Counter::kGlobalLanes,
               std::min(kLanes * requests, counters.OrZero(Counter::kGlobalLanes)));
  for (const Counter counter :
       {Counter::kGlobalStoreSectors, Counter::kGlobalStoreRequests,
        Counter::kGlobalReductionRequests, Counter::kGlobalReductionLanes}) {
    counters.Set(counter, 0);
  }
  return reads;
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
  Selection(const Trial& trial, const ArrayNames& arrays)
      : selected_(AddressesOf(trial, arrays, true)),
        holders_(selected_, AddressesOf(trial, arrays, false), trial.traffic.moves,
                 trial.launches) {}

  bool other_memory() const { return other_memory_; }

  // Returns launch number `index` with the selected accesses.
  LaunchRecord Of(const LaunchRecord& launch, std::size_t index) {
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
    const auto add = [&](const LineCounters& line) {
      const auto [known, added] = lines.try_emplace(line.where);
      if (added) known->second = {.where = line.where, .counters = NoTraffic()};
      Add(known->second, line);
    };
    for (const ArrayCounters& array : *launch.arrays) {
      if (!holders_.MayHold(index, array.begin)) continue;
      const bool selected = selected_.contains(array.begin);
      for (const LineCounters& line : array.lines) {
        if (selected) {
          add(line);
        } else if (const auto reads = ReadsOf(line)) {
          other_memory_ = true;
          add(*reads);
        }
      }
    }
    // Arrays of threads may hold copies too.
    for (const LineCounters& line : launch.lines) {
      const std::uint64_t sectors = line.counters.OrZero(Counter::kLocalArraySectors);
      if (sectors == 0) continue;
      other_memory_ = true;
      LineCounters local{.where = line.where, .counters = NoTraffic()};
      local.counters.Set(Counter::kLocalArraySectors, sectors);
      add(local);
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
  // Returns the addresses of the selected arrays of the call, or of the others.
  static std::set<DeviceAddress> AddressesOf(const Trial& trial, const ArrayNames& arrays,
                                             bool selected) {
    std::set<DeviceAddress> addresses;
    for (const ArrayEnd& array : trial.arrays) {
      const bool named = std::ranges::find(arrays, array.name) != arrays.end();
      if (named == selected) addresses.insert(array.address);
    }
    return addresses;
  }

  std::set<DeviceAddress> selected_;
  Holders holders_;
  bool other_memory_ = false;
};

}  // namespace

bool IsByArray(Counter counter) {
  const std::string_view name = Info(counter).name;
  return name.starts_with("global_") || name.starts_with("read_only_") ||
         counter == Counter::kLocalArraySectors;
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
  for (std::size_t i = 0; i < trial.launches.size(); ++i) {
    const LaunchRecord& launch = trial.launches[i];
    if (launch.error == DeviceError::kSuccess) traffic.launches.push_back(selection.Of(launch, i));
  }
  traffic.other_memory = selection.other_memory();
  return traffic;
}

}  // namespace warpcheck
