// Limits the work of one call, and of all calls of a submission together.
#pragma once

#include <chrono>
#include <cstdint>

namespace warpcheck {

// Says what all calls of a submission may use together, in all cases. The parts are one budget: a
// submission that has used half of the instructions has half of the requests, bytes and seconds
// left. Once the budget is used up, the remaining cases fail. The defaults count work, which is the
// same on every machine, and take about half a minute on a machine of 2024.
struct SubmissionBudget {
  // Warp instructions, only on the emulator. A slow instruction counts several times, and a launch
  // counts as many instructions.
  std::uint64_t instructions = 2'000'000'000;
  std::uint64_t requests = 500'000;  // requests of the host to the device
  // Bytes that requests move. A short row counts as a longer one. This is nineteen times
  // the 1.7 GiB that a right program of `jacobi` moves, the most that was measured: programs of
  // `heat2d` and `overlap`, which copy much too, move at most 140 MiB.
  std::uint64_t bytes = std::uint64_t{32} << 30;
  // The host's processor time, and the time during which it chooses to wait.
  std::chrono::milliseconds host_time{30'000};
};

// Says what one call may use. `host_time` limits all calls that are made in turn together.
struct CallLimits {
  // Warp instructions of all kernels; only on the emulator.
  std::uint64_t instructions = 400'000'000;
  // Bytes of device memory; only on the emulator.
  std::uint64_t device_bytes = std::uint64_t{256} << 20;
  // The processor time of the host's threads and processes together, and the time during which the
  // host chooses to wait. Time that other programs take on a busy machine does not count.
  std::chrono::milliseconds host_time{10'000};
  // The time of one kernel on a GPU, where instructions are not counted. The grading is the only
  // user of the GPU.
  std::chrono::milliseconds launch_time{10'000};
  SubmissionBudget submission{};
};

}  // namespace warpcheck
