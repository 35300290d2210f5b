#include "report/kernel_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "device/finding.h"
#include "device/types.h"
#include "report/line_counters.h"
#include "run/launch_sums.h"

namespace warpcheck {
namespace {

std::uint64_t Beyond(const CounterSet& counters, Counter counter, Counter ideal) {
  const std::uint64_t value = counters.OrZero(counter);
  return value - std::min(value, counters.OrZero(ideal));
}

// Returns how much a line costs beyond the ideal.
std::uint64_t LossOf(const CounterSet& counters) {
  return Beyond(counters, Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal) +
         Beyond(counters, Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal) +
         counters.OrZero(Counter::kBranchesDivergent);
}

}  // namespace

std::vector<KernelCosts> CostsOf(const std::vector<run::LaunchGroup>& launches) {
  std::vector<KernelCosts> kernels;
  for (const run::LaunchGroup& group : launches) {
    const auto bounds = BoundsOf(group.sum, group.launches);
    auto kernel = std::ranges::find(kernels, group.sum.kernel, &KernelCosts::name);
    if (kernel == kernels.end()) {
      KernelCosts first;
      first.name = group.sum.kernel;
      first.grid = group.sum.grid;
      first.block = group.sum.block;
      first.shared_bytes = group.sum.shared_bytes;
      first.counters = group.sum.counters;
      first.bounds = bounds;
      kernel = kernels.insert(kernels.end(), std::move(first));
    } else {
      kernel->counters += group.sum.counters;
      if (!bounds) kernel->bounds.reset();
      if (kernel->bounds) *kernel->bounds += *bounds;
    }
    kernel->launches += group.launches;
    ++kernel->shapes;
    if (kernel->error == DeviceError::kSuccess) kernel->error = group.sum.error;
    AddLines(kernel->lines, group.sum.lines);
  }
  return kernels;
}

std::string LaunchesText(const KernelCosts& kernel) {
  std::string text = fmt::format("{}, grid {}, block {}", Counted(kernel.launches, "launch"),
                                 ExtentText(kernel.grid), ExtentText(kernel.block));
  if (kernel.shared_bytes != 0) {
    text += fmt::format(", {} of shared memory", Counted(kernel.shared_bytes, "byte"));
  }
  if (kernel.shapes > 1) text += fmt::format(" (the first of {} shapes)", kernel.shapes);
  if (kernel.error != DeviceError::kSuccess) {
    text += fmt::format("; ended with {}", CudaErrorName(kernel.error));
  }
  return text;
}

LimiterText LimiterTextOf(const KernelCosts& kernel) {
  return kernel.bounds ? TextOf(*kernel.bounds, kernel.counters) : LimiterText();
}

std::vector<LineCounters> WorstLines(const KernelCosts& kernel, std::size_t most) {
  std::vector<LineCounters> worst;
  std::ranges::copy_if(kernel.lines, std::back_inserter(worst),
                       [](const LineCounters& line) { return LossOf(line.counters) != 0; });
  std::ranges::stable_sort(worst, std::ranges::greater(),
                           [](const LineCounters& line) { return LossOf(line.counters); });
  if (worst.size() > most) worst.resize(most);
  return worst;
}

std::vector<Finding> FindingsOf(const run::ProcessResult& process) {
  std::vector<Finding> findings;
  for (const run::LaunchGroup& group : process.launches) {
    for (const Finding& finding : group.sum.findings) AddFinding(findings, finding);
  }
  for (const Finding& finding : process.findings) AddFinding(findings, finding);
  return findings;
}

std::string FirstText(const Finding& finding) {
  std::string first;
  if (finding.thread) {
    first = fmt::format("first in block {}, thread {}", PositionText(finding.thread->block),
                        PositionText(finding.thread->thread));
  }
  if (!finding.kernel.empty()) first += (first.empty() ? "in " : " of ") + finding.kernel;
  if (finding.count > 1) first += fmt::format("; {} times in total", Grouped(finding.count));
  return first;
}

std::size_t WrongFindings(const std::vector<run::ProcessResult>& processes) {
  std::size_t wrong = 0;
  for (const run::ProcessResult& process : processes) {
    for (const Finding& finding : FindingsOf(process)) wrong += !IsInformation(finding.kind);
  }
  return wrong;
}

}  // namespace warpcheck
