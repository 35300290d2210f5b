#include "checks/launch_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/grouped.h"

namespace warpcheck {
namespace {

constexpr std::size_t kBytesOfALine = 600;
constexpr std::size_t kBytesOfAFinding = 500;

std::size_t BytesOf(const LaunchRecord& launch) {
  std::size_t bytes = launch.kernel.size() + kBytesOfALine;
  for (const LineCounters& line : launch.lines) bytes += kBytesOfALine + line.where.file.size();
  for (const Finding& finding : launch.findings) {
    bytes += kBytesOfAFinding + finding.kernel.size() + finding.message.size();
  }
  return bytes;
}

bool IsShort(const LaunchRecord& launch) {
  return launch.lines.size() <= LaunchRecords::kMostLines &&
         launch.findings.size() <= LaunchRecords::kMostFindings;
}

// The sums of several launches, as one record.
class Sum {
 public:
  void Add(const LaunchRecord& launch) {
    if (first_) {
      first_ = false;
      sum_ = launch;
      sum_.lines.clear();
      sum_.findings.clear();
    } else {
      sum_.totals += launch.totals;
      sum_.launches += launch.launches;
      if (sum_.kernel != launch.kernel) sum_.kernel.clear();
      if (sum_.grid != launch.grid || sum_.block != launch.block) sum_.grid = sum_.block = {};
      sum_.shared_bytes = std::max(sum_.shared_bytes, launch.shared_bytes);
      if (sum_.error == DeviceError::kSuccess) sum_.error = launch.error;
      if (sum_.not_measured.empty()) sum_.not_measured = launch.not_measured;
      if (sum_.unseen.empty()) sum_.unseen = launch.unseen;
      sum_.timing.reset();
      sum_.resources.reset();
    }
    for (const LineCounters& line : launch.lines) AddLine(line);
    for (const Finding& finding : launch.findings) AddFinding(finding);
  }

  LaunchRecord Take() && {
    if (sum_.kernel.empty()) {
      sum_.kernel = fmt::format("{} launches of several kernels", Grouped(sum_.launches));
    }
    for (const auto& [where, counters] : lines_) sum_.lines.push_back({where, counters});
    if (left_out_ != 0) {
      Finding rest = sum_.findings.back();
      rest.message = fmt::format("{} further findings are not listed", Grouped(left_out_));
      sum_.findings.push_back(std::move(rest));
    }
    return std::move(sum_);
  }

 private:
  void AddLine(const LineCounters& line) {
    const bool room = lines_.size() + 1 < LaunchRecords::kMostLines || lines_.contains(line.where);
    const auto [known, added] =
        lines_.try_emplace(room ? line.where : SourceLocation{}, line.counters);
    if (!added) known->second += line.counters;
  }

  void AddFinding(const Finding& finding) {
    if (sum_.findings.size() < LaunchRecords::kMostFindings) {
      sum_.findings.push_back(finding);
    } else {
      ++left_out_;
    }
  }

  LaunchRecord sum_;
  bool first_ = true;
  std::size_t left_out_ = 0;
  std::map<SourceLocation, CounterSet> lines_;
};

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
  if (alone == launches.size()) return written;
  Sum sum;
  for (const LaunchRecord& launch : launches.subspan(alone)) sum.Add(launch);
  written.push_back(std::move(sum).Take());
  return written;
}

}  // namespace warpcheck
