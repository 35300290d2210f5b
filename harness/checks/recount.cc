#include "checks/recount.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "device/launch_record.h"

namespace warpcheck {
namespace {

// Totals that were not measured say nothing about equality.
bool SameWork(const LaunchRecord& a, const LaunchRecord& b) {
  return SameShape(a, b) && a.totals == b.totals && a.totals != CounterSet();
}

void Take(LaunchRecord& to, const LaunchRecord& counted) {
  to.totals = counted.totals;
  to.lines = counted.lines;
  to.timing = counted.timing;
  to.not_measured = counted.not_measured;
}

class Recount {
 public:
  explicit Recount(const CountOne& count) : count_(count) {}

  void Count(const LaunchRecord& launch, std::size_t index, LaunchRecord& result) {
    if (launch.error != DeviceError::kSuccess) return;
    const auto known = std::ranges::find_if(
        counted_, [&](const Counted& other) { return SameWork(launch, other.before); });
    if (known != counted_.end()) {
      Take(result, known->after);
    } else if (!failure_.empty()) {
      result.not_measured = failure_;
    } else if (launch.launches > 1) {
      result.not_measured = "it is the sum of many launches, which are not counted by line";
    } else if (tried_ == kMaxRecounts) {
      result.not_measured =
          fmt::format("only the first {} different launches of a call are measured", kMaxRecounts);
    } else {
      Try(launch, index, result);
    }
  }

 private:
  struct Counted {
    LaunchRecord before;
    LaunchRecord after;
  };

  void Try(const LaunchRecord& launch, std::size_t index, LaunchRecord& result) {
    ++tried_;
    auto counted = count_(index);
    if (!counted) {
      const Error& error = counted.error();
      failure_ = error.hint.empty() ? error.message : error.message + "; " + error.hint;
    } else if (!SameShape(launch, *counted)) {
      failure_ = "the call launches other kernels when it is made again";
    } else if (counted->lines.empty() && !counted->not_measured.empty()) {
      failure_ = counted->not_measured;
    } else {
      counted_.push_back({launch, *counted});
      Take(result, *counted);
      return;
    }
    result.not_measured = failure_;
  }

  const CountOne& count_;
  std::vector<Counted> counted_;
  std::size_t tried_ = 0;
  std::string failure_;
};

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
  std::vector<LaunchRecord> results = launches;
  Recount recount(count);
  for (std::size_t i = 0; i < launches.size(); ++i) recount.Count(launches[i], i, results[i]);
  return results;
}

}  // namespace warpcheck
