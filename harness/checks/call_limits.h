#pragma once

#include <chrono>
#include <cstdint>

namespace warpcheck {

// What all calls of a submission may use together, in all cases: work, which is the same on every
// machine. What it has used up fails in the cases that are left.
struct SubmissionBudget {
  std::uint64_t instructions = 4'000'000'000;     // of warps; emulator only
  std::uint64_t requests = 1'000'000;             // to the device
  std::uint64_t bytes = std::uint64_t{64} << 30;  // that these move
  std::chrono::milliseconds host_time{20'000};    // as in CallLimits
};

// What one call may use; the host's time is that of all calls that are made in turn.
struct CallLimits {
  std::uint64_t instructions = 400'000'000;  // of all its kernels' warps together; emulator only
  std::uint64_t device_bytes = std::uint64_t{512} << 20;  // emulator only
  // Processor time of the host, of its threads and processes together; and time that it spends
  // waiting of its own will. How long that takes on a busy machine is of no account.
  std::chrono::milliseconds host_time{10'000};
  // Of one kernel on a GPU, which nobody else uses meanwhile: there is nothing to count it by.
  std::chrono::milliseconds launch_time{10'000};
  SubmissionBudget submission{};
};

}  // namespace warpcheck
