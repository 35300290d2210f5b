// A Row is one line of the table that a lab makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hardware/limiter.h"
#include "hardware/limiter_text.h"
#include "lab/lab.h"
#include "lab/run/schedule.h"

namespace warpcheck::lab {

// A step of one line of the table, and when it ran.
struct RowStep {
  std::uint32_t stream = 0;
  Engine engine = Engine::kKernel;
  double begin = 0, end = 0;  // in microseconds, or in phases without times
};

// One line of a lab's table.
struct Row {
  std::vector<AxisValue> at;  // a value of each axis
  std::string variant;
  std::vector<std::optional<double>> cells;  // one for each column; nullopt if it was not measured
  // This resource limits the launch. A GPU measures it (hardware/measured_limiter.h); without one
  // it is computed for a launch that fills the GPU (hardware/limiter.h).
  std::optional<Limiter> limiter;
  std::optional<LaunchUse> use;  // of a GPU
  std::string refused;           // the error of a launch that the device refused; otherwise empty
  std::string refusal;           // why, in a sentence
  std::vector<RowStep> steps;    // of a lab with steps
  bool timed = false;            // true if the steps have times
};

}  // namespace warpcheck::lab
