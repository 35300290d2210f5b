#include "hardware/generations.h"

#include <span>

#include "base/check.h"
#include "device/lanes.h"

namespace warpcheck {
namespace {

// The sources are: CUDA C++ Programming Guide 13.0, "Compute Capabilities", tables "Technical
// Specifications per Compute Capability" and "Maximum dynamic shared memory"; for sizes of the chip
// (multiprocessors, L2, clocks, bus) the values of cudaGetDeviceProperties on an NVIDIA H200; for
// the memory geometry measurements on that H200 (docs/counters.md).
std::span<const GpuGeneration> Generations() {
  static const GpuGeneration rows[] = {{
      .properties =
          {
              .name = "NVIDIA H200",
              .compute_major = 9,
              .compute_minor = 0,
              .global_bytes = std::uint64_t{1}
                              << 30,  // the emulator sets this to Options::memory_bytes
              .warp_size = kLanes,
              .max_threads_per_block = 1024,
              .max_block = {1024, 1024, 64},
              .max_grid = {(1u << 31) - 1, 65535, 65535},
              .multiprocessors = 132,
              .max_threads_per_multiprocessor = 2048,
              .max_blocks_per_multiprocessor = 32,
              .registers_per_block = 64 << 10,
              .registers_per_multiprocessor = 64 << 10,
              .max_registers_per_thread = 255,
              .register_allocation_unit = 256,
              .shared_bytes_per_block = 48 << 10,
              .shared_bytes_per_block_optin = 227 << 10,
              .shared_bytes_per_multiprocessor = 228 << 10,
              .shared_bytes_reserved_per_block = 1 << 10,
              .shared_allocation_unit = 128,
              .constant_bytes = 64 << 10,
              .l2_bytes = 60 << 20,
              .memory_bus_bits = 6016,
              .clock_khz = 1'980'000,
              .memory_clock_khz = 3'201'000,
          },
      .memory = {},
  }};
  return rows;
}

}  // namespace

const GpuGeneration* GpuFor(int target) {
  for (const GpuGeneration& row : Generations()) {
    if (row.properties.target() == target) return &row;
  }
  return nullptr;
}

const GpuGeneration& DefaultGpu() {
  const GpuGeneration* row = GpuFor(kDefaultTarget);
  WARPCHECK_CHECK(row != nullptr, "the row of kDefaultTarget is missing");
  return *row;
}

}  // namespace warpcheck
