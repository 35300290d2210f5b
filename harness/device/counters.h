// The counters that are graded and shown, under one name on every device. Rows: counters.def.
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

// The instructions that a metric is summed over to give the counter.
enum class CounterScope : std::uint8_t {
  kEvery,
  kGlobalLoads,
  kGlobalStores,
  kGlobalBytes,      // every one, each value times the bytes that the instruction moves a lane
  kGlobalLoadBytes,  // the same of global loads
  kGlobalAtomics,    // those that give a result
  kGlobalAtomicBytes,
};

struct CounterInfo {
  std::string_view name;    // "global_sectors"
  std::string_view metric;  // CUPTI's, of which `scope` gives the same quantity
  CounterScope scope = CounterScope::kEvery;
  std::string_view meaning;  // for people
};

const CounterInfo& Info(Counter counter);
std::optional<Counter> CounterNamed(std::string_view name);

// How many bytes an instruction moves a lane, told by the metric that is above zero for it.
struct AccessWidth {
  std::uint32_t bytes = 0;
  std::string_view metric;  // CUPTI's
};

std::span<const AccessWidth> AccessWidths();

// A value for each counter, or "not measured", which is neither zero nor a pass.
class CounterSet {
 public:
  std::optional<std::uint64_t> operator[](Counter counter) const { return values_[Index(counter)]; }
  void Set(Counter counter, std::uint64_t value) { values_[Index(counter)] = value; }

  // Adds counter by counter; what is not measured on either side is not measured in the sum.
  CounterSet& operator+=(const CounterSet& other);
  // Of as many launches that count the same.
  CounterSet operator*(std::uint64_t times) const;

  friend bool operator==(const CounterSet&, const CounterSet&) = default;

 private:
  static std::size_t Index(Counter counter) { return static_cast<std::size_t>(counter); }
  std::array<std::optional<std::uint64_t>, kCounterCount> values_;
};

// global_sectors_ideal / global_sectors: 1.0 is perfect. 1.0 where nothing was accessed; nullopt
// where a counter was not measured.
std::optional<double> Coalescing(const CounterSet& counters);

// shared_wavefronts - shared_wavefronts_ideal: passes lost to bank conflicts.
std::optional<std::uint64_t> ExcessiveWavefronts(const CounterSet& counters);

}  // namespace warpcheck
