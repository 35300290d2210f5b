#include "gpu/line_counter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "gpu/code_places.h"

namespace warpcheck::gpu {
namespace {

using Values = std::array<std::uint64_t, kCounterCount>;
using Measured = std::array<bool, kCounterCount>;
using Lines = std::map<SourceLocation, Values>;

std::vector<std::string_view> AllMetrics() {
  std::vector<std::string_view> metrics;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    metrics.push_back(Info(static_cast<Counter>(i)).metric);
  }
  for (const AccessWidth& width : AccessWidths()) metrics.push_back(width.metric);
  std::sort(metrics.begin(), metrics.end());
  metrics.erase(std::unique(metrics.begin(), metrics.end()), metrics.end());
  return metrics;
}

// The counter whose metric is above zero for the instructions of a scope; none for kEvery.
std::optional<Counter> MarkOf(CounterScope scope) {
  switch (scope) {
    case CounterScope::kEvery:
    case CounterScope::kGlobalBytes:
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

bool IsIn(CounterScope scope, const InstructionCounts& instruction) {
  const auto mark = MarkOf(scope);
  if (!mark) return true;
  const auto executed = instruction.values.find(Info(*mark).metric);
  return executed != instruction.values.end() && executed->second != 0;
}

bool InBytes(CounterScope scope) {
  return scope == CounterScope::kGlobalBytes || scope == CounterScope::kGlobalLoadBytes ||
         scope == CounterScope::kGlobalAtomicBytes;
}

// Bytes that the instruction moves a lane; 0 where no metric tells.
std::uint32_t WidthOf(const InstructionCounts& instruction) {
  for (const AccessWidth& width : AccessWidths()) {
    const auto executed = instruction.values.find(width.metric);
    if (executed != instruction.values.end() && executed->second != 0) return width.bytes;
  }
  return 0;
}

// What the instruction adds to a counter; nullopt where CUPTI does not tell.
std::optional<std::uint64_t> Share(const InstructionCounts& instruction, const CounterInfo& info) {
  const auto found = instruction.values.find(info.metric);
  const std::uint64_t value = found == instruction.values.end() ? 0 : found->second;
  if (value == 0 || !IsIn(info.scope, instruction)) return 0;
  if (!InBytes(info.scope)) return value;
  const std::uint32_t width = WidthOf(instruction);
  if (width == 0) return std::nullopt;
  return value * width;
}

// The counters whose metrics CUPTI knows.
Measured MeasuredWithout(const std::vector<std::string_view>& unknown) {
  const auto known = [&](std::string_view metric) {
    return std::find(unknown.begin(), unknown.end(), metric) == unknown.end();
  };
  Measured measured = {};
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const CounterInfo& info = Info(static_cast<Counter>(i));
    const auto mark = MarkOf(info.scope);
    measured[i] = known(info.metric) && (!mark || known(Info(*mark).metric));
  }
  return measured;
}

void Add(const InstructionCounts& instruction, Values& values, Measured& measured) {
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto share = Share(instruction, Info(static_cast<Counter>(i)));
    values[i] += share.value_or(0);
    measured[i] = measured[i] && share.has_value();
  }
}

CounterSet ToSet(const Values& values, const Measured& measured) {
  CounterSet set;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    if (measured[i]) set.Set(static_cast<Counter>(i), values[i]);
  }
  return set;
}

std::string MissingText(const Measured& measured) {
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    if (!measured[i]) missing.push_back(Info(static_cast<Counter>(i)).name);
  }
  if (missing.empty()) return "";
  return fmt::format("CUPTI's SASS metrics do not tell {} on this GPU", fmt::join(missing, ", "));
}

Result<LaunchCounts> Fold(const Lines& lines, const Measured& measured) {
  LaunchCounts counts;
  Values totals = {};
  for (const auto& [where, values] : lines) {
    if (values == Values{}) continue;
    counts.lines.push_back({where, ToSet(values, measured)});
    for (std::size_t i = 0; i < kCounterCount; ++i) totals[i] += values[i];
  }
  if (counts.lines.empty()) {
    return Fail("counters were lost: every record of the launch is zero");
  }
  counts.totals = ToSet(totals, measured);
  counts.missing = MissingText(measured);
  return counts;
}

}  // namespace

Result<> LineCounter::Begin() { return metrics_.Start(AllMetrics()); }

Result<LaunchCounts> LineCounter::End(const KernelImage& image) {
  const auto instructions = metrics_.Finish();
  if (!instructions) return Fail(instructions.error());
  const CodePlaces places(api_, image.cubin);
  Measured measured = MeasuredWithout(metrics_.unknown());
  Lines lines;
  std::string function;
  SourceLocation place;
  for (const InstructionCounts& instruction : *instructions) {
    // Code without a line belongs to the one before it in its function, as on the emulator.
    if (instruction.function != function) place = {};
    function = instruction.function;
    const std::string name = function.empty() ? std::string(image.function) : function;
    auto found = places.Of(name, instruction.offset);
    if (!found) return Fail(found.error());
    if (found->known()) place = std::move(*found);
    Add(instruction, lines[place], measured);
  }
  return Fold(lines, measured);
}

}  // namespace warpcheck::gpu
