// Kernels of a .cu file whose comments say which findings they must get, and where:
//
//   // <<<1, 64>>>                                      the grid and the block of the next kernels
//   extern "C" __global__ void name(...) {
//     ... = tile[63 - threadIdx.x];  // says: shared_race
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "device/finding.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {

struct SpeakingKernel {
  std::string name;
  Dim3 grid, block;
  std::vector<std::string> expected;  // such as "17 shared_race", sorted
};

void PrintTo(const SpeakingKernel& kernel, std::ostream* out);

// Reads the kernels of a file. Returns an empty list if the file cannot be read.
std::vector<SpeakingKernel> SpeakingKernels(const std::string& path);

struct Spoken {
  std::vector<Finding> findings;
  std::vector<int> out;  // one for each thread
};

// Launches a kernel of `source` ("races.cu") with two arrays of zeros, of which the first is `out`.
// `options` say which observers watch.
Spoken Speak(const std::string& source, const SpeakingKernel& kernel, Options options);

// Returns the line and kind of each finding, such as "17 shared_race", sorted.
std::vector<std::string> LinesOf(const std::vector<Finding>& findings);

}  // namespace warpcheck::emulator
