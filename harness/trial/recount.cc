#include "trial/recount.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace warpcheck {
namespace {

// Two launches do the same work if their shapes and totals agree. Totals that were not measured
// never agree.
bool SameWork(const LaunchRecord& a, const LaunchRecord& b) {
  return SameShape(a, b) && a.counters == b.counters && a.counters != CounterSet();
}

void Take(LaunchRecord& to, const LaunchRecord& counted) {
  to.counters = counted.counters;
  to.lines = counted.lines;
  to.not_measured = counted.not_measured;
}

// Returns why a launch was not counted although it was made again; empty if it was counted.
std::string WhyNotCounted(const LaunchRecord& launch, const Result<LaunchRecord>& again) {
  if (!again) {
    const Error& error = again.error();
    return error.hint.empty() ? error.message : error.message + "; " + error.hint;
  }
  if (!SameShape(launch, *again))
    return "the call launches other kernels when it is made a second time";
  return again->lines.empty() ? again->not_measured : "";
}

}  // namespace

std::size_t DifferentLaunches(const std::vector<LaunchRecord>& launches) {
  std::vector<const LaunchRecord*> different;
  for (const LaunchRecord& launch : launches) {
    const bool known = std::ranges::any_of(
        different, [&](const LaunchRecord* other) { return SameWork(launch, *other); });
    if (!known && launch.error == DeviceError::kSuccess) different.push_back(&launch);
  }
  return different.size();
}

std::vector<LaunchRecord> Recounted(std::vector<LaunchRecord> launches, const CountOne& count) {
  struct Counted {
    LaunchRecord before;
    LaunchRecord after;
  };
  std::vector<Counted> counted;
  std::size_t tried = 0;
  std::string failure;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    LaunchRecord& launch = launches[i];
    if (launch.error != DeviceError::kSuccess) continue;
    const auto known = std::ranges::find_if(
        counted, [&](const Counted& other) { return SameWork(launch, other.before); });
    if (known != counted.end()) {
      Take(launch, known->after);
    } else if (!failure.empty()) {
      launch.not_measured = failure;
    } else if (launch.launches > 1) {
      launch.not_measured =
          "this record is the sum of many launches, which are not counted line by line";
    } else if (tried == kMaxRecounts) {
      launch.not_measured =
          fmt::format("only the first {} different launches of a call are measured", kMaxRecounts);
    } else {
      ++tried;
      const auto again = count(i);
      failure = WhyNotCounted(launch, again);
      if (again && failure.empty()) {
        counted.push_back({launch, *again});
        Take(launch, *again);
      } else {
        launch.not_measured = failure;
      }
    }
  }
  return launches;
}

}  // namespace warpcheck
