#include "checks/speed/statistics.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/median.h"

namespace warpcheck {
namespace {

constexpr double kMostError = 0.05;     // the interval may miss the median so often
constexpr double kNarrowEnough = 0.01;  // see IsEnough()

// Returns how many of `count` sorted ratios lie below the interval, and as many above it: the
// largest number for which at most half of kMostError is left on each side. The number of ratios
// below the median has the binomial distribution of `count` throws of a coin.
std::size_t OutsideOnEachSide(std::size_t count) {
  double probability = std::pow(0.5, static_cast<double>(count));  // of 0 ratios below the median
  double sum = probability;
  std::size_t outside = 0;
  while (sum <= kMostError / 2) {
    ++outside;
    probability *= static_cast<double>(count - outside + 1) / static_cast<double>(outside);
    sum += probability;
  }
  // `sum` now includes `outside` ratios below the median, which is too likely.
  return outside == 0 ? 0 : outside - 1;
}

std::uint32_t LowestClock(const TimedPair& pair) {
  return std::min(pair.reference_mhz, pair.submission_mhz);
}
std::uint32_t HighestClock(const TimedPair& pair) {
  return std::max(pair.reference_mhz, pair.submission_mhz);
}

}  // namespace

std::vector<TimedPair> WithSteadyClocks(std::span<const TimedPair> pairs) {
  double highest = 0;
  for (const TimedPair& pair : pairs) highest = std::max<double>(highest, HighestClock(pair));
  std::vector<TimedPair> steady;
  for (const TimedPair& pair : pairs) {
    const double low = LowestClock(pair);
    const bool lowered = low < kLeastClockShare * highest;
    const bool differ = low < (1 - kMostClockDifference) * HighestClock(pair);
    if (!lowered && !differ) steady.push_back(pair);
  }
  return steady;
}

RatioInterval IntervalOf(std::vector<double> ratios) {
  WARPCHECK_CHECK(!ratios.empty(), "an interval of no ratios");
  std::ranges::sort(ratios);
  const std::size_t outside = OutsideOnEachSide(ratios.size());
  return {.ratio = MedianOf(ratios),
          .low = ratios[outside],
          .high = ratios[ratios.size() - 1 - outside]};
}

RatioInterval Widened(RatioInterval interval) {
  interval.low = std::min(interval.low, interval.ratio / (1 + kBetweenRuns));
  interval.high = std::max(interval.high, interval.ratio * (1 + kBetweenRuns));
  return interval;
}

bool IsEnough(std::span<const TimedPair> steady) {
  if (steady.size() < kFewestPairs) return false;
  const RatioInterval interval = IntervalOf(RatiosOf(steady));
  return interval.high <= interval.ratio * (1 + kNarrowEnough) &&
         interval.low >= interval.ratio * (1 - kNarrowEnough);
}

bool IsTooScattered(const RatioInterval& interval) {
  return interval.high > interval.ratio * (1 + kMostScatter) ||
         interval.low < interval.ratio / (1 + kMostScatter);
}

std::vector<double> RatiosOf(std::span<const TimedPair> pairs) {
  std::vector<double> ratios;
  for (const TimedPair& pair : pairs) ratios.push_back(pair.reference_us / pair.submission_us);
  return ratios;
}

}  // namespace warpcheck
