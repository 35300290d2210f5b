// Estimate predicts how long a batch will still take, from the submissions that it has graded so
// far.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpcheck::batch {

class Estimate {
 public:
  // Notes that a submission was graded so many seconds after the previous one, or after the start.
  void Add(double seconds);

  struct Range {
    double least = 0;  // in seconds
    double most = 0;
  };
  // Returns the range of time for so many more submissions. Nine of ten batches end within it if
  // those submissions are like the earlier ones. Returns nothing before five submissions are
  // graded.
  std::optional<Range> Left(std::size_t submissions) const;

  // Returns how many submissions are graded in a minute, on average. Returns nothing before five
  // submissions are graded.
  std::optional<double> PerMinute() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;     // the mean of the seconds between two submissions
  double squares_ = 0;  // the sum of the squared distances from the mean
};

// Returns a text like "65 a minute" or "2.4 a minute".
std::string RateText(double per_minute);

// Returns a text like "40 s to 2 min" or "about 3 min".
std::string RangeText(const Estimate::Range& range);

}  // namespace warpcheck::batch
