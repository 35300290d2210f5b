#include "gpu/cupti/launch_counter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/cupti/cubin.h"
#include "gpu/cupti/cupti_api.h"

namespace warpcheck::gpu {

namespace {

// Returns the name that the Range Profiler has for the sum of a metric over the GPU.
std::string SumOf(std::string_view metric) { return fmt::format("{}.sum", metric); }

std::vector<std::string> TotalMetrics() {
  std::vector<std::string> metrics;
  for (const Counter counter : kAllCounters) {
    if (IsTotal(counter)) metrics.push_back(SumOf(Info(counter).metric));
  }
  return metrics;
}

using Values = std::array<std::uint64_t, kCounterCount>;
using Measured = std::array<bool, kCounterCount>;
struct Sums {
  Values values = {};
  Measured measured = {};
};

using Lines = std::map<SourceLocation, Sums>;

std::vector<std::string_view> AllMetrics() {
  std::vector<std::string_view> metrics;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const CounterInfo& info = Info(static_cast<Counter>(i));
    if (info.scope != CounterScope::kEmulator) metrics.push_back(info.metric);
  }
  for (const AccessWidth& width : AccessWidths()) metrics.push_back(width.metric);
  std::sort(metrics.begin(), metrics.end());
  metrics.erase(std::unique(metrics.begin(), metrics.end()), metrics.end());
  return metrics;
}

// Returns the counter whose metric is above zero for the instructions of a scope; returns nothing
// for kEvery.
std::optional<Counter> MarkOf(CounterScope scope) {
  switch (scope) {
    case CounterScope::kEvery:
    case CounterScope::kGlobalBytes:
    case CounterScope::kEmulator:
      return std::nullopt;
    case CounterScope::kGlobalLoads:
    case CounterScope::kGlobalLoadBytes:
      return Counter::kGlobalLoadRequests;
    case CounterScope::kGlobalStores:
      return Counter::kGlobalStoreRequests;
    case CounterScope::kGlobalAtomics:
    case CounterScope::kGlobalAtomicBytes:
      return Counter::kGlobalAtomicRequests;
  }
  return std::nullopt;
}

std::uint64_t ValueOf(const InstructionCounts& instruction, std::string_view metric) {
  const auto found = instruction.values.find(metric);
  return found == instruction.values.end() ? 0 : found->second;
}

// Returns true for a copy from global to shared memory (cp.async in PTX, LDGSTS in machine code).
// It is a load, but CUPTI counts neither its requests nor its lanes.
bool IsCopy(const InstructionCounts& instruction) {
  return ValueOf(instruction, Info(Counter::kAsyncCopyRequests).metric) != 0;
}

bool IsIn(CounterScope scope, const InstructionCounts& instruction) {
  const auto mark = MarkOf(scope);
  if (!mark || ValueOf(instruction, Info(*mark).metric) != 0) return true;
  return mark == Counter::kGlobalLoadRequests && IsCopy(instruction);
}

bool InBytes(CounterScope scope) {
  return scope == CounterScope::kGlobalBytes || scope == CounterScope::kGlobalLoadBytes ||
         scope == CounterScope::kGlobalAtomicBytes;
}

// Returns how many bytes the instruction moves for each lane; 0 if no metric tells.
std::uint32_t WidthOf(const InstructionCounts& instruction) {
  for (const AccessWidth& width : AccessWidths()) {
    if (ValueOf(instruction, width.metric) != 0) return width.bytes;
  }
  return 0;
}

// Returns the instruction's contribution to a counter; returns nothing if CUPTI does not tell.
std::optional<std::uint64_t> Share(const InstructionCounts& instruction, const CounterInfo& info) {
  if (!IsIn(info.scope, instruction)) return 0;
  const std::uint64_t value = ValueOf(instruction, info.metric);
  if (!InBytes(info.scope)) return value;
  if (IsCopy(instruction)) return std::nullopt;
  if (value == 0) return 0;
  const std::uint32_t width = WidthOf(instruction);
  if (width == 0) return std::nullopt;
  return value * width;
}

// Returns the counters whose metrics CUPTI knows.
Measured MeasuredWithout(const std::vector<std::string_view>& unknown) {
  const auto known = [&](std::string_view metric) {
    return std::find(unknown.begin(), unknown.end(), metric) == unknown.end();
  };
  Measured measured = {};
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const CounterInfo& info = Info(static_cast<Counter>(i));
    const auto mark = MarkOf(info.scope);
    measured[i] = info.scope != CounterScope::kEmulator && known(info.metric) &&
                  (!mark || known(Info(*mark).metric));
  }
  return measured;
}

void Add(const InstructionCounts& instruction, Sums& sums) {
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto share = Share(instruction, Info(static_cast<Counter>(i)));
    sums.values[i] += share.value_or(0);
    sums.measured[i] = sums.measured[i] && share.has_value();
  }
}

CounterSet ToSet(const Sums& sums) {
  CounterSet set;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    if (sums.measured[i]) set.Set(static_cast<Counter>(i), sums.values[i]);
  }
  return set;
}

std::string MissingText(const Measured& measured) {
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const CounterInfo& info = Info(static_cast<Counter>(i));
    if (!measured[i] && info.scope != CounterScope::kEmulator) missing.push_back(info.name);
  }
  if (missing.empty()) return "";
  return fmt::format("CUPTI's SASS metrics do not tell {} on this GPU", fmt::join(missing, ", "));
}

// Adds up the lines. If one line lacks a counter, the sum lacks it too.
Result<LaunchCounts> Fold(const Lines& lines, const Measured& measured) {
  LaunchCounts counts;
  Sums totals = {.measured = measured};
  for (const auto& [where, sums] : lines) {
    if (sums.values == Values{}) continue;
    counts.lines.push_back({where, ToSet(sums)});
    for (std::size_t i = 0; i < kCounterCount; ++i) {
      totals.values[i] += sums.values[i];
      totals.measured[i] = totals.measured[i] && sums.measured[i];
    }
  }
  if (counts.lines.empty()) {
    return Fail("counters were lost: every record of the launch is zero");
  }
  counts.counters = ToSet(totals);
  counts.missing = MissingText(totals.measured);
  return counts;
}

}  // namespace

Result<> TotalsCounter::Begin() {
  if (!set_up_) set_up_ = profiler_.SetUp(TotalMetrics());
  if (!*set_up_) return *set_up_;
  return profiler_.Start();
}

Result<LaunchCounts> TotalsCounter::End(const KernelImage&) {
  const auto values = WARPCHECK_TRY(profiler_.Finish());
  LaunchCounts counts;
  std::vector<std::string_view> missing;
  for (const Counter counter : kAllCounters) {
    const CounterInfo& info = Info(counter);
    const auto found = values.find(SumOf(info.metric));
    if (IsTotal(counter) && found != values.end()) {
      if (!std::isfinite(found->second) || found->second < 0) {
        return Fail(
            fmt::format("counters were lost: CUPTI gives {} for {}", found->second, info.metric));
      }
      counts.counters.Set(counter, static_cast<std::uint64_t>(std::llround(found->second)));
    } else if (info.scope != CounterScope::kEmulator) {
      missing.push_back(info.name);
    }
  }
  if (counts.counters[Counter::kWarpInstructions] == 0U) {
    return Fail("counters were lost: CUPTI saw no instruction of the launch");
  }
  if (!missing.empty()) {
    counts.missing = fmt::format("CUPTI's totals do not tell {}", fmt::join(missing, ", "));
  }
  return counts;
}

Result<> LineCounter::Begin() { return metrics_.Start(AllMetrics()); }

Result<LaunchCounts> LineCounter::End(const KernelImage& image) {
  const auto instructions = WARPCHECK_TRY(metrics_.Finish());
  const Measured measured = MeasuredWithout(metrics_.unknown());
  Lines lines;
  std::string function;
  SourceLocation place;
  for (const InstructionCounts& instruction : instructions) {
    // Code without a line counts for the line before it in its function, as on the emulator.
    if (instruction.function != function) place = {};
    function = instruction.function;
    const std::string name = function.empty() ? std::string(image.function) : function;
    auto found = WARPCHECK_TRY(PlaceOf(api_, image.cubin, name, instruction.offset));
    if (found.known()) place = std::move(found);
    Sums& sums = lines.try_emplace(place, Sums{.measured = measured}).first->second;
    Add(instruction, sums);
  }
  return Fold(lines, measured);
}

}  // namespace warpcheck::gpu
