#include "batch/work/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpcheck::batch {
namespace {

constexpr std::size_t kEnough = 5;  // with fewer durations there is no estimate
// Of a normal distribution, 90 % lies within this many standard deviations of the mean.
constexpr double kNineOfTen = 1.645;

std::string DurationText(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", std::round(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

void Estimate::Add(double seconds) {
  ++count_;
  const double distance = seconds - mean_;
  mean_ += distance / static_cast<double>(count_);
  squares_ += distance * (seconds - mean_);
}

// The variance of the sum of `left` durations has two parts: their own spread, and the uncertainty
// of the measured mean.
std::optional<Estimate::Range> Estimate::Left(std::size_t submissions) const {
  if (count_ < kEnough) return std::nullopt;
  const auto measured = static_cast<double>(count_);
  const auto left = static_cast<double>(submissions);
  const double variance = squares_ / (measured - 1);
  const double spread = kNineOfTen * std::sqrt(variance * (left + left * left / measured));
  return Range{.least = std::max(0.0, left * mean_ - spread), .most = left * mean_ + spread};
}

std::optional<double> Estimate::PerMinute() const {
  if (count_ < kEnough || mean_ <= 0) return std::nullopt;
  return 60 / mean_;
}

std::string RateText(double per_minute) {
  return per_minute < 10 ? fmt::format("{:.1f} a minute", per_minute)
                         : fmt::format("{:.0f} a minute", per_minute);
}

std::string RangeText(const Estimate::Range& range) {
  const std::string least = DurationText(range.least);
  const std::string most = DurationText(range.most);
  return least == most ? "about " + most : least + " to " + most;
}

}  // namespace warpcheck::batch
