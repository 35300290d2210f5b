// What calls of a submission may use.
#pragma once

#include <chrono>
#include <cstdint>

namespace warpcheck {

// What all calls of a submission may use together, in all cases: work, which is the same on every
// machine, and about half a minute of a machine of 2024. It is one budget: who uses half of the
// instructions has half of the requests, bytes and seconds left. Once it is used up, the cases that
// are left fail.
struct SubmissionBudget {
  // Of warps, as the emulator counts them: what takes longer than others counts several times, and
  // so do launches. Emulator only.
  std::uint64_t instructions = 2'000'000'000;
  std::uint64_t requests = 500'000;               // to the device
  std::uint64_t bytes = std::uint64_t{32} << 30;  // that these move; short rows count as longer
  // Processor time, and time in which the host waits of its own will.
  std::chrono::milliseconds host_time{30'000};
};

// What one call may use; the host's time is that of all calls that are made in turn.
struct CallLimits {
  std::uint64_t instructions = 400'000'000;  // of all its kernels' warps together; emulator only
  std::uint64_t device_bytes = std::uint64_t{256} << 20;  // emulator only
  // Processor time of the host, of its threads and processes together; and time that it spends
  // waiting of its own will. How long that takes on a busy machine is of no account.
  std::chrono::milliseconds host_time{10'000};
  // Of one kernel on a GPU, which nobody else uses meanwhile: there is nothing to count it by.
  std::chrono::milliseconds launch_time{10'000};
  SubmissionBudget submission{};
};

}  // namespace warpcheck
