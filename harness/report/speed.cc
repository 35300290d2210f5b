#include "report/speed.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "device/counters.h"
#include "device/types.h"
#include "hardware/geometry.h"
#include "hardware/limiter.h"
#include "hardware/measured_limiter.h"
#include "results/speed_text.h"

namespace warpcheck {
namespace {

bool SameWork(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.shared_bytes == b.shared_bytes;
}

bool SameResources(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.resources == b.resources;
}

std::string TextOf(const LaunchTiming& timing, const LaunchRecord& record) {
  std::string text = fmt::format("{:.4g} us", timing.median_us);
  if (const auto bandwidth = AchievedBandwidth(record)) {
    text += fmt::format(", {:.4g} GB/s", *bandwidth / 1e9);
    if (timing.copy_bytes_per_second > 0) {
      text += fmt::format(" ({:.0f} % of a copy)", 100 * *bandwidth / timing.copy_bytes_per_second);
    }
  }
  return text;
}

std::string TextOf(const LaunchResources& resources, const CounterSet& counters) {
  std::string text =
      fmt::format("occupancy {:.0f} %, {}", 100 * resources.occupancy,
                  Counted(static_cast<std::uint64_t>(resources.registers), "register"));
  const auto sectors = counters[Counter::kLocalSectors];
  if (resources.local_bytes == 0) return text + ", no spills";
  text += fmt::format(", {} of local memory a thread", Counted(resources.local_bytes, "byte"));
  if (sectors && *sectors > 0) text += fmt::format(" ({} moved)", Counted(*sectors, "sector"));
  return text;
}

// Returns the cycles that the work of a launch takes at least; 0 if they are not known.
double WorkOf(const LaunchRecord& record) {
  const auto bounds = BoundsOf(record, record.launches);
  const auto work = bounds ? bounds->LikelyOfWork() : std::nullopt;
  return work ? (*bounds)[*work] / static_cast<double>(record.launches) : 0;
}

// Returns the largest launch that is `alike` to a record: the one with the most work.
template <class Alike>
const LaunchRecord& LargestOf(const ChecksReport& report, const LaunchRecord& record, Alike alike) {
  const LaunchRecord* largest = &record;
  double most = WorkOf(record);
  for (const CaseLaunch& launch : report.launches) {
    if (!alike(launch.record, record)) continue;
    const double work = WorkOf(launch.record);
    if (work <= most) continue;
    most = work;
    largest = &launch.record;
  }
  return *largest;
}

LimiterText LimitsOf(const LaunchRecord& record) {
  if (record.use) return TextOf(record);
  const auto bounds = BoundsOf(record, record.launches);
  return bounds ? TextOf(*bounds, record.counters) : LimiterText();
}

Speed SpeedOf(const LaunchRecord& record) {
  Speed speed;
  speed.kernel =
      fmt::format("{}, {} {} of {}", record.kernel, ExtentText(record.grid),
                  record.grid.Count() == 1 ? "block" : "blocks", ExtentText(record.block));
  if (record.timing) speed.text = TextOf(*record.timing, record);
  if (record.timing && record.resources) speed.text += ", ";
  if (record.resources) speed.text += TextOf(*record.resources, record.counters);
  return speed;
}

// Returns the launches for which `shown` is true, without those that are `alike` to an earlier one.
template <class Shown, class Alike>
std::vector<const LaunchRecord*> Select(const ChecksReport& report, Shown shown, Alike alike) {
  std::vector<const LaunchRecord*> selected;
  for (const CaseLaunch& launch : report.launches) {
    const LaunchRecord& record = launch.record;
    const bool known = std::ranges::any_of(
        selected, [&](const LaunchRecord* other) { return alike(*other, record); });
    if (shown(record) && !known) selected.push_back(&record);
  }
  return selected;
}

}  // namespace

std::string TextOf(const SpeedRatio& ratio) {
  if (ratio.pairs == 0) return {};
  return fmt::format(
      "{}. It should be {}: {}{}", FiguresOf(ratio), ratio.target, NameOf(ratio.outcome),
      ratio.outcome == SpeedRatio::Outcome::kTooClose ? ", which costs nothing" : "");
}

std::optional<double> AchievedBandwidth(const LaunchRecord& record) {
  const auto sectors = record.counters[Counter::kGlobalSectorsIdeal];
  if (!sectors || !record.timing || record.timing->median_us <= 0) return std::nullopt;
  return static_cast<double>(*sectors) * double{kSectorBytes} / (record.timing->median_us * 1e-6);
}

Speeds SlowestKernels(const ChecksReport& report, std::size_t most) {
  Speeds speeds{.title = "On the GPU (no points depend on it)", .kernels = {}};
  auto records = Select(
      report, [](const LaunchRecord& record) { return record.timing.has_value(); }, &SameWork);
  std::ranges::stable_sort(records, [](const LaunchRecord* a, const LaunchRecord* b) {
    return a->timing->median_us > b->timing->median_us;
  });
  if (records.empty()) {
    speeds.title = "How well its largest launches would fill a GPU (no points depend on it)";
    records = Select(
        report, [](const LaunchRecord& record) { return record.resources.has_value(); },
        &SameResources);
    for (const LaunchRecord*& record : records) {
      record = &LargestOf(report, *record, &SameResources);
    }
    std::ranges::stable_sort(records, [](const LaunchRecord* a, const LaunchRecord* b) {
      return a->resources->occupancy < b->resources->occupancy;
    });
  }
  if (records.size() > most) records.resize(most);
  for (const LaunchRecord* record : records) {
    speeds.kernels.push_back(SpeedOf(*record));
    speeds.kernels.back().limits = LimitsOf(*record);
  }
  return speeds;
}

Speeds SpeedsOf(const Grade& grade, std::size_t most) {
  Speeds speeds = SlowestKernels(grade.attempt.report, most);
  const bool timed = std::ranges::any_of(
      grade.attempt.report.launches,
      [](const CaseLaunch& launch) { return launch.record.timing.has_value(); });
  if (timed) return speeds;
  if (grade.score == Points() || grade.score == grade.max_score) return {};
  for (Speed& speed : speeds.kernels) {
    if (!speed.limits.counted) speed.limits.advice.clear();
  }
  return speeds;
}

}  // namespace warpcheck
