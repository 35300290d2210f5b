// How long a batch still takes, from what was measured so far: a range, and none before there is
// enough to tell from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "batch/batch.h"

namespace warpcheck::batch {

class Estimate {
 public:
  // One more was graded, so many seconds after the one before, or after the begin.
  void Add(double seconds);

  struct Range {
    double least = 0;  // seconds
    double most = 0;
  };
  // For so many more, as in nine of ten cases if these are like those before; nothing before five.
  std::optional<Range> Left(std::size_t submissions) const;

  // How many were graded in a minute, on average; nothing before five.
  std::optional<double> PerMinute() const;

 private:
  std::size_t count_ = 0;
  double mean_ = 0;     // seconds between two
  double squares_ = 0;  // sum of squared distances from the mean
};

// "65 a minute", "2.4 a minute".
std::string RateText(double per_minute);

// "40 s to 2 min", "about 3 min".
std::string RangeText(const Estimate::Range& range);

// "[######..............] 100 of 300 graded, 3 without a final score, 2 running, 65 a minute, about
// 3 min left"
std::string ProgressText(const Progress& progress, const Estimate& estimate);

}  // namespace warpcheck::batch
