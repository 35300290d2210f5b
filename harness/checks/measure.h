// Quantities that assignments set targets on: how they are read from counters, and what a report
// says of a line that misses one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/counters.h"

namespace warpcheck {

struct Measure {
  enum class Scope : std::uint8_t {
    kEveryLine,    // every launch as a whole and every source line of it: ratios
    kEveryLaunch,  // every launch
    kSum,          // all launches together
  };
  std::string name;  // "coalescing"
  Scope scope = Scope::kEveryLaunch;
  // nullopt: not measured.
  std::optional<double> (*value)(const CounterSet& counters, Counter counter) = nullptr;
  // False where there is nothing to judge, for example no access to global memory.
  bool (*applies)(const CounterSet& counters) = nullptr;
  // What a line contributes to the loss: the worst lines are named first.
  double (*loss)(const CounterSet& counters, Counter counter) = nullptr;
  // A line's account: "global store: 32 sectors touched, 4 would do (...)".
  std::string (*account)(const CounterSet& counters, Counter counter) = nullptr;
  // What to do about it.
  std::string (*hint)(const CounterSet& counters) = nullptr;
  // Said where no launch has anything to judge; empty: that meets every target.
  std::string nothing;
  Counter counter = Counter::kGlobalSectors;  // passed to the functions above
};

const Measure& CoalescingMeasure();
const Measure& LaunchCoalescingMeasure();  // of whole launches
const Measure& SectorsPerRequestMeasure();
const Measure& ExcessiveWavefrontsMeasure();
const Measure& GlobalLoadSectorsMeasure();
const Measure& GlobalLoadBytesMeasure();
const Measure& GlobalStoreSectorsMeasure();
const Measure& ActiveLanesMeasure();
const Measure& LocalMemoryMeasure();
Measure CounterMeasure(Counter counter);

}  // namespace warpcheck
