// How fast a GPU ran the kernels of a submission, or, on the emulator, what they would need of one:
// information, never graded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/results.h"

namespace warpcheck {

// The bytes that a launch had to move in global memory, were its sectors packed, by its median
// time, in a second. nullopt where either was not measured.
std::optional<double> AchievedBandwidth(const LaunchRecord& record);

struct Speed {
  std::string kernel;  // "tiled(float const*, float*, int, int), 32x32 blocks of 32x8"
  std::string text;    // "12.5 us, 671 GB/s (17 % of a copy), occupancy 75 %, 32 registers"
};

struct Speeds {
  std::string title;
  std::vector<Speed> kernels;  // each kernel and configuration once
};

// The launches that took longest; where none was timed, those that hold the fewest threads on a
// multiprocessor. Without kernels where nothing is known of either.
Speeds SlowestKernels(const ChecksReport& report, std::size_t most);

}  // namespace warpcheck
