// Statistics of timed pairs of calls: which pairs count, the ratio of their times, and the interval
// in which it lies. None of this measures anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpcheck {

// The times of two calls with the same data that were made one after the other.
struct TimedPair {
  double reference_us = 0;
  double submission_us = 0;
  // The lowest clock of the multiprocessors that was seen in each call.
  std::uint32_t reference_mhz = 0;
  std::uint32_t submission_mhz = 0;
};

// A clock below this share of the highest clock of the run is a lowered one. (nvbench drops samples
// below the same share of the default clock.)
inline constexpr double kLeastClockShare = 0.75;
// The clocks of the two calls of a pair may differ by this share. A submission that heats the GPU,
// so that the reference runs with a lower clock, gains no more than that.
inline constexpr double kMostClockDifference = 0.02;

// Returns the pairs that count: both clocks are high enough and alike. The highest clock is that of
// all pairs.
std::vector<TimedPair> WithSteadyClocks(std::span<const TimedPair> pairs);

struct RatioInterval {
  double ratio = 0;  // the median
  double low = 0;
  double high = 0;
};

// Returns the median of the ratios, and the interval between two of them that contains the median
// of their distribution with a probability of at least 95 %, whatever the distribution: the sign
// test's interval (Conover, Practical Nonparametric Statistics, section 3.2). With fewer than six
// ratios there is no such interval, and it reaches from the lowest to the highest ratio. `ratios`
// must not be empty.
RatioInterval IntervalOf(std::vector<double> ratios);

// Ratios of the same two programs in different runs differ by up to this share, more than the
// interval of one run shows. A verdict must not depend on that.
inline constexpr double kBetweenRuns = 0.03;

// Returns the interval, made so wide that it reaches from ratio / (1 + kBetweenRuns) to
// ratio * (1 + kBetweenRuns).
RatioInterval Widened(RatioInterval interval);

// The number of pairs that are needed, and the most that are tried, dropped ones included.
inline constexpr std::size_t kFewestPairs = 12;
inline constexpr std::size_t kMostPairs = 40;

// Returns whether more pairs would not help: there are kFewestPairs, and their interval is not
// wider than 1 % of the ratio in each direction.
bool IsEnough(std::span<const TimedPair> steady);

// An interval that reaches further than this share from the ratio says nothing: the GPU had
// something else to do.
inline constexpr double kMostScatter = 0.1;
bool IsTooScattered(const RatioInterval& interval);

// Returns reference_us / submission_us of each pair. The times must not be 0.
std::vector<double> RatiosOf(std::span<const TimedPair> pairs);

}  // namespace warpcheck
