#include "trial/launch_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "device/counters.h"

namespace warpcheck {

namespace {

constexpr std::size_t kBytesOfAFinding = 500;

// Returns about how many bytes all counters take in JSON, each as "name":number.
std::size_t BytesOfCounters() {
  constexpr std::size_t kAroundAName = 5;
  std::size_t bytes = 0;
  for (const Counter counter : kAllCounters) bytes += Info(counter).name.size() + kAroundAName;
  return bytes;
}

std::size_t BytesOf(const LaunchRecord& launch) {
  static const std::size_t bytes_of_a_line = BytesOfCounters();
  std::size_t bytes = launch.kernel.size() + bytes_of_a_line;
  for (const LineCounters& line : launch.lines) bytes += bytes_of_a_line + line.where.file.size();
  for (const Finding& finding : launch.findings) {
    bytes += kBytesOfAFinding + finding.kernel.size() + finding.message.size();
  }
  return bytes;
}

bool IsShort(const LaunchRecord& launch) {
  return launch.lines.size() <= LaunchRecords::kMostLines &&
         launch.findings.size() <= LaunchRecords::kMostFindings;
}

// Adds up several launches in one record.
LaunchRecord SumOf(std::span<const LaunchRecord> launches) {
  LaunchRecord sum = launches.front();
  sum.lines.clear();
  sum.findings.clear();
  sum.arrays.reset();
  std::map<SourceLocation, CounterSet> lines;
  std::size_t left_out = 0;
  for (const LaunchRecord& launch : launches) {
    if (&launch != &launches.front()) {
      sum.counters += launch.counters;
      sum.launches += launch.launches;
      if (sum.kernel != launch.kernel) sum.kernel.clear();
      if (sum.grid != launch.grid || sum.block != launch.block) sum.grid = sum.block = {};
      sum.shared_bytes = std::max(sum.shared_bytes, launch.shared_bytes);
      if (sum.error == DeviceError::kSuccess) sum.error = launch.error;
      if (sum.not_measured.empty()) sum.not_measured = launch.not_measured;
      if (sum.unseen.empty()) sum.unseen = launch.unseen;
      sum.timing.reset();
      sum.resources.reset();
      sum.needs.reset();
      sum.use.reset();
    }
    for (const auto& [where, counters, examples, polls] : launch.lines) {
      const bool room = lines.size() + 1 < LaunchRecords::kMostLines || lines.contains(where);
      const auto [known, added] = lines.try_emplace(room ? where : SourceLocation{}, counters);
      if (!added) known->second += counters;
    }
    for (const Finding& finding : launch.findings) {
      if (sum.findings.size() < LaunchRecords::kMostFindings) {
        sum.findings.push_back(finding);
      } else {
        ++left_out;
      }
    }
  }
  if (sum.kernel.empty()) {
    sum.kernel = fmt::format("{} launches of several kernels", Grouped(sum.launches));
  }
  for (const auto& [where, counters] : lines) sum.lines.push_back({where, counters});
  if (left_out != 0) {
    Finding rest = sum.findings.back();
    rest.message = fmt::format("not listed: {}", Counted(left_out, "further finding"));
    sum.findings.push_back(std::move(rest));
  }
  return sum;
}

}  // namespace

std::size_t LaunchRecords::Take(std::span<const LaunchRecord> launches) {
  std::size_t alone = 0;
  for (; alone < launches.size() && IsShort(launches[alone]); ++alone) {
    const std::size_t bytes = BytesOf(launches[alone]);
    if (bytes > left_) break;
    left_ -= bytes;
  }
  return alone;
}

std::vector<LaunchRecord> LaunchRecords::Written(std::span<const LaunchRecord> launches,
                                                 std::size_t alone) {
  std::vector<LaunchRecord> written(launches.begin(),
                                    launches.begin() + static_cast<std::ptrdiff_t>(alone));
  if (alone < launches.size()) written.push_back(SumOf(launches.subspan(alone)));
  return written;
}

}  // namespace warpcheck
