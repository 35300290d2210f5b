// This file names the counters that are graded and shown. They have the same names on every device
// (counters.def).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace warpcheck {

enum class Counter : std::uint8_t {
#define COUNTER(name, text, metric, scope, meaning) k##name,
#include "device/counters.def"
#undef COUNTER
};

inline constexpr Counter kAllCounters[] = {
#define COUNTER(name, text, metric, scope, meaning) Counter::k##name,
#include "device/counters.def"
#undef COUNTER
};
inline constexpr std::size_t kCounterCount = std::size(kAllCounters);

// The instructions over which a metric is summed to get the counter.
enum class CounterScope : std::uint8_t {
  kEvery,
  kGlobalLoads,
  kGlobalStores,
  kGlobalBytes,      // every instruction, each value times the bytes that it moves for each lane
  kGlobalLoadBytes,  // global loads, each value times the bytes that it moves for each lane
  kGlobalAtomics,    // atomics that return a result
  kGlobalAtomicBytes,
  kEmulator,  // no metric gives the value: only the emulator has the counter
};

struct CounterInfo {
  std::string_view name;  // "global_sectors"
  // The metric of CUPTI that gives the same value over `scope`; empty if none does.
  std::string_view metric;
  CounterScope scope = CounterScope::kEvery;
  std::string_view meaning;  // the text that explains the counter to people
};

const CounterInfo& Info(Counter counter);
std::optional<Counter> CounterNamed(std::string_view name);

// Returns true if a GPU adds up the counter over a launch: CUPTI's Range Profiler has its metric.
// Returns false for ideals and for counters of some instructions only.
bool IsTotal(Counter counter);

// AccessWidth gives the bytes that an instruction moves for each lane. An instruction has this
// width if the metric is above zero for it.
struct AccessWidth {
  std::uint32_t bytes = 0;
  std::string_view metric;  // the name of the metric in CUPTI
};

std::span<const AccessWidth> AccessWidths();

// A CounterSet has a value for each counter, or nothing if the counter was not measured.
class CounterSet {
 public:
  std::optional<std::uint64_t> operator[](Counter counter) const { return values_[Index(counter)]; }
  // Returns 0 for a counter that was not measured.
  std::uint64_t OrZero(Counter counter) const { return (*this)[counter].value_or(0); }
  void Set(Counter counter, std::uint64_t value) { values_[Index(counter)] = value; }
  // Makes the counter one that was not measured.
  void Clear(Counter counter) { values_[Index(counter)].reset(); }

  // Adds counter by counter. A counter that one side lacks is also missing from the sum.
  CounterSet& operator+=(const CounterSet& other);
  // Returns the counters of `times` launches that have equal counters.
  CounterSet operator*(std::uint64_t times) const;

  friend bool operator==(const CounterSet&, const CounterSet&) = default;

 private:
  static std::size_t Index(Counter counter) { return static_cast<std::size_t>(counter); }
  std::array<std::optional<std::uint64_t>, kCounterCount> values_;
};

// Returns global_sectors_ideal / global_sectors. 1.0 is perfect, and is also the result if there
// was no access. Returns nothing if one of the two was not measured.
std::optional<double> Coalescing(const CounterSet& counters);

// Returns shared_wavefronts - shared_wavefronts_ideal, the passes lost to bank conflicts.
std::optional<std::uint64_t> ExcessiveWavefronts(const CounterSet& counters);

}  // namespace warpcheck
