#include "trial/devices/trial_log.h"

#include <algorithm>
#include <utility>

namespace warpcheck {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{64} << 10;
constexpr char kFurtherKernels[] = "launches of further kernels";

std::size_t BytesOfLines(const std::vector<LineCounters>& lines) {
  std::size_t bytes = 0;
  for (const LineCounters& line : lines) {
    bytes += sizeof line + line.where.file.size() + line.examples.size() * sizeof(AccessExample);
  }
  return bytes;
}

}  // namespace

std::string_view KernelOfALibrary(std::string_view kernel) {
  if (kernel.starts_with("void ")) kernel.remove_prefix(5);
  for (const std::string_view library : {"cub::", "thrust::", "cutlass::"}) {
    if (kernel.starts_with(library)) return kernel.substr(0, kernel.find_first_of("<("));
  }
  return {};
}

bool TrialLog::RoomFor(const LaunchRecord& record) {
  if (sums_ || launches.size() >= kDetailed) return false;
  if (room_ == nullptr) return true;
  std::size_t bytes = sizeof record + record.kernel.size() + BytesOfLines(record.lines);
  if (record.arrays) {
    for (const ArrayCounters& array : *record.arrays) bytes += BytesOfLines(array.lines);
  }
  for (const Finding& finding : record.findings) {
    bytes += sizeof finding + finding.message.size() + finding.kernel.size();
  }
  if (bytes > *room_) return false;
  *room_ -= bytes;
  return true;
}

void KernelTimes::Add(const LaunchRecord& record) {
  if (!record.timing) {
    if (untimed == 0) why_untimed = record.not_measured;
    ++untimed;
    return;
  }
  const LaunchTiming& timing = *record.timing;
  us += timing.median_us;
  copy_bytes_per_second = timing.copy_bytes_per_second;
  const bool first = lowest_sm_mhz == 0;
  lowest_sm_mhz = first ? timing.sm_clock_mhz : std::min(lowest_sm_mhz, timing.sm_clock_mhz);
}

void TrialLog::OnLaunch(const LaunchRecord& record) {
  times.Add(record);
  ++launched;
  instructions += record.counters.OrZero(Counter::kWarpInstructions);
  if (RoomFor(record)) return launches.push_back(record);
  if (!sums_) sums_ = launches.size();
  // A launch that failed is not added to launches that ran.
  const auto first = launches.begin() + static_cast<std::ptrdiff_t>(*sums_);
  auto sum = std::find_if(first, launches.end(), [&](const LaunchRecord& other) {
    return other.kernel == record.kernel && other.error == record.error;
  });
  if (sum == launches.end() && launches.size() - *sums_ >= kMostSums) {
    // Kernels of libraries get a sum of their own, because one of them is a reason to fail.
    const bool library = !KernelOfALibrary(record.kernel).empty();
    sum = std::find_if(first, launches.end(), [&](const LaunchRecord& other) {
      const bool alike =
          library ? !KernelOfALibrary(other.kernel).empty() : other.kernel == kFurtherKernels;
      return alike && other.error == record.error;
    });
    if (sum == launches.end()) {
      launches.push_back(record);
      if (!library) launches.back().kernel = kFurtherKernels;
      launches.back().resources.reset();
      launches.back().needs.reset();
      return;
    }
  }
  if (sum == launches.end()) return launches.push_back(record);
  AddLaunch(*sum, record);
  sum->launches += record.launches;
}

std::vector<LaunchRecord> TrialLog::TakeLaunches() {
  sums_.reset();
  return std::exchange(launches, {});
}

void TrialLog::OnFinding(const Finding& finding) {
  const auto of_its_kind = std::ranges::count(findings, finding.kind, &Finding::kind);
  if (static_cast<std::size_t>(of_its_kind) < kMostOfAKind) return AddFinding(findings, finding);
  std::ranges::find(findings, finding.kind, &Finding::kind)->count += finding.count;
}

void TrialLog::OnPrint(std::string_view text) {
  output += text.substr(0, kMaxOutput - std::min(kMaxOutput, output.size()));
}

}  // namespace warpcheck
