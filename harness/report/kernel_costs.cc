#include "report/kernel_costs.h"

#include <algorithm>
#include <utility>

#include "device/finding.h"
#include "run/launch_sums.h"

namespace warpcheck {

void AddLines(std::vector<LineCounters>& sums, const std::vector<LineCounters>& more) {
  for (const LineCounters& line : more) {
    const auto at = std::ranges::lower_bound(sums, line.where, {}, &LineCounters::where);
    if (at != sums.end() && at->where == line.where) {
      at->counters += line.counters;
    } else {
      sums.insert(at, line);
    }
  }
}

namespace {

using run::AccessSample;

bool SameLine(const AccessSample& a, const AccessSample& b) {
  return a.kernel == b.kernel && a.where == b.where && a.memory == b.memory && a.kind == b.kind &&
         a.bytes == b.bytes;
}

std::uint64_t Loss(const AccessSample& sample) {
  return sample.cost - std::min(sample.cost, sample.ideal);
}

void Add(LineAccess& access, const AccessSample& sample) {
  const AccessSample before = access.worst;
  AccessSample& worst = access.worst;
  if (Loss(sample) > Loss(before)) worst = sample;
  worst.as_bad = Loss(sample) == Loss(before) ? before.as_bad + sample.as_bad : worst.as_bad;
  worst.requests = before.requests + sample.requests;
  worst.cost_of_all = before.cost_of_all + sample.cost_of_all;
  worst.ideal_of_all = before.ideal_of_all + sample.ideal_of_all;
  ++access.instructions;
}

}  // namespace

std::vector<LineAccess> LineAccesses(const std::vector<AccessSample>& samples) {
  std::vector<LineAccess> accesses;
  for (const AccessSample& sample : samples) {
    const auto known = std::ranges::find_if(
        accesses, [&](const LineAccess& access) { return SameLine(access.worst, sample); });
    if (known == accesses.end()) {
      accesses.push_back({.worst = sample, .instructions = 1});
    } else {
      Add(*known, sample);
    }
  }
  return accesses;
}

namespace {

std::uint64_t Beyond(const CounterSet& counters, Counter counter, Counter ideal) {
  const std::uint64_t value = counters[counter].value_or(0);
  return value - std::min(value, counters[ideal].value_or(0));
}

std::uint64_t Loss(const CounterSet& counters) {
  return Beyond(counters, Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal) +
         Beyond(counters, Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal) +
         counters[Counter::kBranchesDivergent].value_or(0);
}

}  // namespace

std::vector<KernelCosts> CostsOf(const std::vector<run::LaunchGroup>& launches) {
  std::vector<KernelCosts> kernels;
  for (const run::LaunchGroup& group : launches) {
    auto kernel = std::ranges::find(kernels, group.sum.kernel, &KernelCosts::name);
    if (kernel == kernels.end()) {
      KernelCosts first;
      first.name = group.sum.kernel;
      first.grid = group.sum.grid;
      first.block = group.sum.block;
      first.shared_bytes = group.sum.shared_bytes;
      first.counters = group.sum.counters;
      kernel = kernels.insert(kernels.end(), std::move(first));
    } else {
      kernel->counters += group.sum.counters;
    }
    kernel->launches += group.launches;
    ++kernel->shapes;
    if (kernel->error == DeviceError::kSuccess) kernel->error = group.sum.error;
    AddLines(kernel->lines, group.sum.lines);
  }
  return kernels;
}

std::vector<LineCounters> WorstLines(const KernelCosts& kernel, std::size_t most) {
  std::vector<LineCounters> worst;
  std::ranges::copy_if(kernel.lines, std::back_inserter(worst),
                       [](const LineCounters& line) { return Loss(line.counters) != 0; });
  std::ranges::stable_sort(worst, std::ranges::greater(),
                           [](const LineCounters& line) { return Loss(line.counters); });
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

}  // namespace warpcheck
