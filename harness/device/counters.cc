#include "device/counters.h"

namespace warpcheck {
namespace {

constexpr std::array<CounterInfo, kCounterCount> kCounters = {{
#define COUNTER(name, text, metric, scope, meaning) {text, metric, CounterScope::k##scope, meaning},
#include "device/counters.def"
#undef COUNTER
}};

constexpr AccessWidth kAccessWidths[] = {
#define COUNTER(name, text, metric, scope, meaning)
#define ACCESS_WIDTH(bytes, metric) {bytes, metric},
#include "device/counters.def"
#undef ACCESS_WIDTH
#undef COUNTER
};

}  // namespace

const CounterInfo& Info(Counter counter) { return kCounters[static_cast<std::size_t>(counter)]; }

std::span<const AccessWidth> AccessWidths() { return kAccessWidths; }

std::optional<Counter> CounterNamed(std::string_view name) {
  for (const Counter counter : kAllCounters) {
    if (Info(counter).name == name) return counter;
  }
  return std::nullopt;
}

// Only CUPTI's SASS metrics have the two endings (CUDA 13.0, on an H100).
bool IsTotal(Counter counter) {
  const CounterInfo& info = Info(counter);
  return info.scope == CounterScope::kEvery && !info.metric.ends_with("_ideal") &&
         !info.metric.ends_with("_pred_on");
}

CounterSet& CounterSet::operator+=(const CounterSet& other) {
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    if (values_[i] && other.values_[i]) {
      *values_[i] += *other.values_[i];
    } else {
      values_[i].reset();
    }
  }
  return *this;
}

CounterSet CounterSet::operator*(std::uint64_t times) const {
  CounterSet product = *this;
  for (auto& value : product.values_) {
    if (value) *value *= times;
  }
  return product;
}

std::optional<double> Coalescing(const CounterSet& counters) {
  const auto sectors = counters[Counter::kGlobalSectors];
  const auto ideal = counters[Counter::kGlobalSectorsIdeal];
  if (!sectors || !ideal) return std::nullopt;
  if (*sectors == 0) return 1.0;
  return static_cast<double>(*ideal) / static_cast<double>(*sectors);
}

std::optional<std::uint64_t> ExcessiveWavefronts(const CounterSet& counters) {
  const auto wavefronts = counters[Counter::kSharedWavefronts];
  const auto ideal = counters[Counter::kSharedWavefrontsIdeal];
  if (!wavefronts || !ideal) return std::nullopt;
  return *wavefronts - *ideal;
}

}  // namespace warpcheck
