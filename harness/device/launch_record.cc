#include "device/launch_record.h"

#include <algorithm>

namespace warpcheck {
namespace {

// Adds the counters of `times` times `more` to the lines of a sum.
void AddLines(std::vector<LineCounters>& sum, const std::vector<LineCounters>& more,
              std::uint64_t times) {
  for (const LineCounters& line : more) {
    const CounterSet counters = line.counters * times;
    const auto at = std::ranges::lower_bound(sum, line.where, {}, &LineCounters::where);
    if (at != sum.end() && at->where == line.where) {
      at->counters += counters;
    } else if (sum.size() < LaunchRecord::kMostLinesOfASum) {
      sum.insert(at, {.where = line.where, .counters = counters});
    } else if (sum.front().where.known()) {
      sum.insert(sum.begin(), {.where = {}, .counters = counters});
    } else {
      sum.front().counters += counters;
    }
  }
}

// Adds the counters of `more` to the allocations of a sum. If there are too many, further ones are
// added to the one that stands for all others.
void AddArrays(std::vector<ArrayCounters>& sum, const std::vector<ArrayCounters>& more,
               std::uint64_t times) {
  for (const ArrayCounters& array : more) {
    auto at = std::ranges::lower_bound(sum, array.begin, {}, &ArrayCounters::begin);
    bool known = at != sum.end() && at->begin == array.begin;
    if (!known && sum.size() >= LaunchRecord::kMostArrays) {
      at = sum.begin();
      known = at->begin == 0;
    }
    if (!known) {
      const bool full = sum.size() >= LaunchRecord::kMostArrays;
      at = sum.insert(at, {.begin = full ? 0 : array.begin, .lines = {}});
    }
    AddLines(at->lines, array.lines, times);
  }
}

// Adds what `times` launches like `more` need.
void AddNeeds(std::optional<LaunchNeeds>& sum, const std::optional<LaunchNeeds>& more,
              std::uint64_t times) {
  if (!more) sum.reset();
  if (!sum) return;
  sum->load_sectors += more->load_sectors * times;
  sum->store_sectors += more->store_sectors * times;
  sum->word_updates += more->word_updates * times;
  sum->load_waits += more->load_waits * times;
}

}  // namespace

const AccessExample* WorstExample(const LineCounters& line,
                                  bool (*shows)(const AccessExample& example)) {
  const auto worst = std::ranges::find_if(line.examples, [&](const AccessExample& example) {
    return shows(example) && example.Excess() > 0;
  });
  return worst == line.examples.end() ? nullptr : &*worst;
}

std::uint64_t WarpsOf(const LaunchRecord& launch) {
  const std::uint64_t of_a_block = (launch.block.Count() + kLanes - 1) / kLanes;
  return launch.launches * launch.grid.Count() * of_a_block;
}

bool SameShape(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
         a.shared_bytes == b.shared_bytes;
}

void AddLaunch(LaunchRecord& sum, const LaunchRecord& more, std::uint64_t times) {
  if (sum.error == DeviceError::kSuccess) sum.error = more.error;
  // A refused launch has no counters.
  if (more.counters != CounterSet() || more.error == DeviceError::kSuccess) {
    sum.counters += more.counters * times;
    AddNeeds(sum.needs, more.needs, times);
    if (!more.arrays) {
      sum.arrays.reset();
    } else if (sum.arrays) {
      AddArrays(*sum.arrays, *more.arrays, times);
    }
  }
  AddLines(sum.lines, more.lines, times);
  for (Finding finding : more.findings) {
    finding.count *= times;
    AddFinding(sum.findings, finding);
  }
  if (sum.not_measured.empty()) sum.not_measured = more.not_measured;
  if (sum.unseen.empty()) sum.unseen = more.unseen;
}

}  // namespace warpcheck
