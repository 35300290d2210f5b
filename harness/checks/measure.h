// A Measure is a quantity of a call that targets are set on. It is read from the counters of all
// launches of the call, added up, and can tell the share of one source line.
//
// Targets are set on work: how much a call moves, compared with what its data needs. Another
// launch, access or idle lane never makes work smaller. A ratio of single accesses is not work,
// because perfect accesses that nobody needs improve it. Such a ratio shows which line loses what,
// but it must not be the only target (Measure::is_work).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "device/counters.h"
#include "device/launch_record.h"
#include "provenance/watched_device.h"

namespace warpcheck {

struct Measure {
  // The name in reports: "global memory".
  std::string_view name;
  // The words that follow the number in reports, such as "sectors moved". They are empty for
  // ratios.
  std::string_view quantity{};
  // True if additional work of a kernel never makes the value smaller.
  bool is_work = true;
  // Returns the value of one line or of all launches, or nullopt if it was not measured. Here and
  // below, `counter` is the field of that name.
  using Value = std::optional<double> (*)(const CounterSet& counters, Counter counter);
  Value value = nullptr;
  // Returns the part of a line's value that its own data does not need: bank conflicts, idle lanes,
  // and unused parts of sectors.
  double (*waste)(const CounterSet& counters, Counter counter) = nullptr;
  // Returns the sentence about a line: "global store: 32 sectors moved for 4 sectors of data".
  std::string (*account)(const CounterSet& counters, Counter counter) = nullptr;
  // Returns how to improve the value, from counters alone. The pointer is null if nothing is known.
  std::string (*hint)(const CounterSet& counters) = nullptr;
  // Returns how to improve a line whose accesses are known. The pointer is null if `hint` says
  // enough.
  std::string (*hint_of_line)(const LaunchRecord& launch, const LineCounters& line) = nullptr;
  // Returns whether an access shows what the line loses, so that a report can draw it. The pointer
  // is null if no access can show it.
  bool (*shows)(const AccessExample& access) = nullptr;
  // The counter that the functions above get, if they read only one.
  Counter counter = Counter::kGlobalSectors;
  // Returns what copies of the host within the device add to the value. The pointer is null if they
  // add nothing.
  double (*of_copies)(const HostTraffic& traffic) = nullptr;
  // True if it also counts what other counters do not see (LaunchRecord::unseen).
  bool sees_every_way = false;
};

// Arrays of threads in local memory count with the first two, and mbarriers that hold numbers with
// kSharedTraffic.
extern const Measure kGlobalTraffic;  // sectors of loads, stores and atomics
extern const Measure kGlobalLoads;    // sectors of loads and atomics
extern const Measure kGlobalStores;   // sectors of stores and atomics
extern const Measure kStoredBytes;    // bytes that lanes store and update, counted for each lane
extern const Measure kSharedTraffic;  // wavefronts
extern const Measure kIdleLanes;      // idle lanes in accesses to global and shared memory
extern const Measure kLocalMemory;    // sectors of spills and of arrays
extern const Measure kConstantReads;  // passes through constant memory
extern const Measure kFetches;        // sectors of texture fetches
extern const Measure kPointerLoads;   // sectors of loads and atomics that are no texture fetches
extern const Measure kBusiestBlock;   // bytes of the block of each launch that moves most
extern const Measure kSharedMemory;   // bytes that all blocks take
extern const Measure kCoalescing;     // a ratio
extern const Measure kExcessiveWavefronts;  // not work: one lane alone never has a conflict
Measure CounterMeasure(Counter counter);    // the value of any counter

}  // namespace warpcheck
