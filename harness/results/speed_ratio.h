// SpeedRatio is the speed of a submission compared with the reference's, as a test of speed
// measured it (checks/speed/speed.h).
#pragma once

#include <cstdint>
#include <string>

#include "base/record.h"

namespace warpcheck {

struct SpeedRatio {
  enum class Outcome : std::uint8_t {
    kNotMeasured,  // there is no GPU, or its times say nothing
    kMet,          // the whole interval meets the target
    kMissed,       // no part of the interval meets the target
    kTooClose,     // a part of the interval meets the target; no points are lost
    kWrong,        // the submission failed in a timed call, so its time says nothing
  };

  Outcome outcome = Outcome::kNotMeasured;
  std::string target{};  // what the ratio should be: ">= 0.8"
  // The reference's time divided by the submission's: the median of all pairs of calls, and the
  // interval in which it lies. All are 0 if nothing was measured.
  double ratio = 0;
  double low = 0;
  double high = 0;
  // The median times of a call, in microseconds.
  double reference_us = 0;
  double submission_us = 0;
  std::uint32_t pairs = 0;    // pairs of calls that count
  std::uint32_t dropped = 0;  // pairs that do not count, because the GPU lowered its clock

  friend bool operator==(const SpeedRatio&, const SpeedRatio&) = default;
};
WARPCHECK_NAMES(SpeedRatio::Outcome, "not measured", "met", "missed", "too close to tell",
                "wrong result");
WARPCHECK_FIELDS(SpeedRatio, outcome, target, ratio, low, high, reference_us, submission_us, pairs,
                 dropped);

}  // namespace warpcheck
