// Limits on the work of one call, and of all calls of a submission together.
#pragma once

#include <chrono>
#include <cstdint>

namespace warpcheck {

// What all calls of a submission may use together, in all cases. The parts are one budget: a
// submission that has used half of the instructions has half of the requests, bytes and seconds
// left. Once the budget is used up, the remaining cases fail. The defaults count work, which is the
// same on every machine, and take about half a minute on a machine of 2024.
struct SubmissionBudget {
  // Warp instructions, on the emulator only. A slow instruction counts several times, and a launch
  // counts as many instructions.
  std::uint64_t instructions = 2'000'000'000;
  std::uint64_t requests = 500'000;  // requests of the host to the device
  // Bytes that requests move. A short row counts as a longer one.
  std::uint64_t bytes = std::uint64_t{32} << 30;
  // Processor time of the host, and time during which it waits by its own choice.
  std::chrono::milliseconds host_time{30'000};
};

// What one call may use. `host_time` limits all calls that are made in turn together.
struct CallLimits {
  std::uint64_t instructions = 400'000'000;  // warp instructions of all kernels; emulator only
  std::uint64_t device_bytes = std::uint64_t{256} << 20;  // device memory; emulator only
  // Processor time of the host's threads and processes together, and time during which the host
  // waits by its own choice. Time that other programs take on a busy machine does not count.
  std::chrono::milliseconds host_time{10'000};
  // The time of one kernel on a GPU, where instructions are not counted. The grading has the GPU
  // for itself.
  std::chrono::milliseconds launch_time{10'000};
  SubmissionBudget submission{};
};

}  // namespace warpcheck
