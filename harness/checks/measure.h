// Quantities that a call is graded by, read from the counters of all its launches together, and
// what a report says of a line that has a share in one.
//
// What is graded is work: how much a call moved, against what its data needs. Work only grows by
// doing more, whoever does it: another launch, another access, a lane that takes no part. A ratio
// of single accesses is no such thing: accesses that are perfect by themselves improve it. It
// explains which line loses what, and is no target by itself (Measure::is_work).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "device/counters.h"
#include "device/launch_record.h"

namespace warpcheck {

struct Measure {
  std::string_view name;        // "global memory"
  std::string_view quantity{};  // behind a number: "sectors moved"; empty for ratios
  bool is_work = true;          // doing more never makes it smaller
  using Value = std::optional<double> (*)(const CounterSet& counters, Counter counter);
  Value value = nullptr;  // of one line, or of all launches; nullopt: not measured
  // The part of a line's value that its own data does not need: conflicts, idle lanes, halves of
  // sectors.
  double (*waste)(const CounterSet& counters, Counter counter) = nullptr;
  // A line's account: "global store: 32 sectors moved for 4 sectors of data".
  std::string (*account)(const CounterSet& counters, Counter counter) = nullptr;
  // What to do about it; null: nothing is known.
  std::string (*hint)(const CounterSet& counters) = nullptr;
  // The same for one line, where more is known of it than counters.
  std::string (*hint_of_line)(const LaunchRecord& launch, const LineCounters& line) = nullptr;
  // Whether an access is one of those that are measured, and shows what they lose; null: none does.
  bool (*shows)(const AccessExample& access) = nullptr;
  Counter counter = Counter::kGlobalSectors;  // passed to the functions above
};

extern const Measure kGlobalTraffic;        // sectors of loads, stores and atomics
extern const Measure kGlobalLoads;          // sectors of loads and atomics
extern const Measure kGlobalStores;         // sectors of stores and atomics
extern const Measure kStoredBytes;          // that lanes store and update, each lane's
extern const Measure kSharedTraffic;        // wavefronts
extern const Measure kIdleLanes;            // in accesses to global and shared memory
extern const Measure kLocalMemory;          // sectors: spills, and arrays
extern const Measure kCoalescing;           // a ratio
extern const Measure kExcessiveWavefronts;  // of single accesses: one lane alone has no conflict
Measure CounterMeasure(Counter counter);    // any counter

}  // namespace warpcheck
