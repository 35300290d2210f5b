// Estimates how long a batch will still take, from the submissions that it has graded so far.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpcheck::batch {

class Estimate {
 public:
  // Notes that a submission was graded, so many seconds after the one before it, or after the
  // start.
  void Add(double seconds);

  struct Range {
    double least = 0;  // seconds
    double most = 0;
  };
  // Returns the time for so many more submissions: nine of ten batches end within the range if
  // those submissions are like the ones before. Nothing before five submissions are graded.
  std::optional<Range> Left(std::size_t submissions) const;

  // Returns how many are graded a minute, on average; nothing before five are graded.
  std::optional<double> PerMinute() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;     // seconds between two
  double squares_ = 0;  // sum of the squared distances from the mean
};

// Returns "65 a minute" or "2.4 a minute".
std::string RateText(double per_minute);

// Returns "40 s to 2 min" or "about 3 min".
std::string RangeText(const Estimate::Range& range);

}  // namespace warpcheck::batch
