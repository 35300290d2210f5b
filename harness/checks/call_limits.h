#pragma once

#include <chrono>
#include <cstdint>

namespace warpcheck {

// What one call may use; the host's time is that of all calls that are made in turn.
struct CallLimits {
  std::uint64_t instructions = 400'000'000;  // of all its kernels' warps together; emulator only
  std::uint64_t device_bytes = std::uint64_t{512} << 20;  // emulator only
  std::chrono::milliseconds host_time{10'000};            // without the time that kernels take
  std::chrono::milliseconds launch_time{10'000};          // of one kernel; GPU only
};

}  // namespace warpcheck
