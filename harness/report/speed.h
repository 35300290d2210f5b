// Reports the speed of a submission's kernels on a GPU, or, on the emulator, the resources that
// they would need. This is information, and never graded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grading/grade.h"
#include "hardware/limiter_text.h"
#include "results/results.h"

namespace warpcheck {

// Returns the bandwidth in bytes a second: the bytes that the launch would move in global memory if
// its sectors were full, divided by its median time. Returns nothing if one of these was not
// measured.
std::optional<double> AchievedBandwidth(const LaunchRecord& record);

// Returns a sentence about the speed of a submission, compared with the reference's: "0.93 of the
// reference's speed (0.91 to 0.95 in 12 pairs of calls; 120 us, and the reference takes 112 us).
// It should be >= 0.8: met". Returns an empty text if nothing was measured.
std::string TextOf(const SpeedRatio& ratio);

struct Speed {
  std::string kernel;  // such as "tiled(float const*, float*, int, int), 32x32 blocks of 32x8"
  std::string text;    // such as "12.5 us, 671 GB/s (17 % of a copy), occupancy 75 %, 32 registers"
  // These sentences say what limited it on the GPU, or else what likely limits this launch.
  // Both may be empty.
  LimiterText limits;
};

struct Speeds {
  std::string title;
  std::vector<Speed> kernels;  // lists each kernel and configuration once
};

// Returns the launches that took longest. If no launch was timed, returns the largest launch of
// each kernel, and first those that keep the fewest threads on a multiprocessor. The result is
// empty if there are neither times nor resources.
Speeds SlowestKernels(const ChecksReport& report, std::size_t most);

// Returns what a grade shows of them. Without times it shows nothing at 0 points and after full
// marks, and only advice that follows from a count: what might help in general is no part of a
// grade.
Speeds SpeedsOf(const Grade& grade, std::size_t most);

}  // namespace warpcheck
