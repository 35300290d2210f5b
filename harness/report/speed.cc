#include "report/speed.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck {
namespace {

constexpr double kSectorBytes = 32;

std::string Extent(const Dim3& size) {
  if (size.z > 1) return fmt::format("{}x{}x{}", size.x, size.y, size.z);
  return size.y > 1 ? fmt::format("{}x{}", size.x, size.y) : fmt::format("{}", size.x);
}

bool SameWork(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.shared_bytes == b.shared_bytes;
}

std::string TextOf(const LaunchRecord& record) {
  const LaunchTiming& timing = *record.timing;
  std::string text = fmt::format("{:.4g} us", timing.median_us);
  if (const auto bandwidth = AchievedBandwidth(record)) {
    text += fmt::format(", {:.4g} GB/s", *bandwidth / 1e9);
    if (timing.copy_bytes_per_second > 0) {
      text += fmt::format(" ({:.0f} % of a copy)", 100 * *bandwidth / timing.copy_bytes_per_second);
    }
  }
  if (const auto& resources = record.resources) {
    text += fmt::format(", occupancy {:.0f} %, {} registers", 100 * resources->occupancy,
                        resources->registers);
    const auto spilled = record.totals[Counter::kLocalSectors];
    if (resources->local_bytes > 0) {
      text += fmt::format(", {} bytes of local memory a thread", resources->local_bytes);
      if (spilled && *spilled > 0) text += fmt::format(" ({} sectors moved)", *spilled);
    } else {
      text += ", no spills";
    }
  }
  return text;
}

}  // namespace

std::optional<double> AchievedBandwidth(const LaunchRecord& record) {
  const auto sectors = record.totals[Counter::kGlobalSectorsIdeal];
  if (!sectors || !record.timing || record.timing->median_us <= 0) return std::nullopt;
  return static_cast<double>(*sectors) * kSectorBytes / (record.timing->median_us * 1e-6);
}

std::vector<Speed> SlowestKernels(const ChecksReport& report, std::size_t most) {
  std::vector<const LaunchRecord*> timed;
  for (const CaseLaunch& launch : report.launches) {
    const LaunchRecord& record = launch.record;
    const bool known = std::ranges::any_of(
        timed, [&](const LaunchRecord* other) { return SameWork(*other, record); });
    if (record.timing && !known) timed.push_back(&record);
  }
  std::ranges::stable_sort(timed, [](const LaunchRecord* a, const LaunchRecord* b) {
    return a->timing->median_us > b->timing->median_us;
  });
  if (timed.size() > most) timed.resize(most);
  std::vector<Speed> speeds;
  for (const LaunchRecord* record : timed) {
    speeds.push_back({fmt::format("{}, {} blocks of {}", record->kernel, Extent(record->grid),
                                  Extent(record->block)),
                      TextOf(*record)});
  }
  return speeds;
}

}  // namespace warpcheck
