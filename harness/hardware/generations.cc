#include "hardware/generations.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "device/lanes.h"

namespace warpcheck {
namespace {

// A row holds the facts in which one GPU differs from others. The sources are: CUDA C++ Programming
// Guide 13.0, "Compute Capabilities", tables "Technical Specifications per Compute Capability" and
// "Maximum dynamic shared memory"; allocation units as in cuda_occupancy.h of the CUDA
// Toolkit 13.0; sizes of the chip (multiprocessors, L2, bus, clocks) as cudaGetDeviceProperties
// gives them on that GPU, those of A10 and L4 from NVIDIA's data sheets; the memory geometry as
// measured on an H200 (docs/counters.md).
struct Row {
  std::string_view name;
  int target;  // compute capability, times 10
  std::uint32_t multiprocessors;
  std::uint32_t threads, blocks;  // the most of a multiprocessor
  std::uint32_t shared_kib;       // of a multiprocessor
  std::uint32_t reserved_kib;     // of it, which CUDA takes for each block
  std::uint32_t shared_unit;      // bytes in which shared memory is allocated
  std::uint32_t l2_mib;
  std::uint32_t bus_bits;
  std::uint32_t clock_khz, memory_clock_khz;
  MemoryGeometry memory{};
};

// clang-format off
constexpr Row kRows[] = {
    // in the order of the fields of Row
    {"NVIDIA T4", 75, 40, 1024, 16, 64, 0, 256, 4, 256, 1'590'000, 5'001'000},
    {"NVIDIA A100", 80, 108, 2048, 32, 164, 1, 128, 40, 5120, 1'410'000, 1'215'000},
    {"NVIDIA A10", 86, 72, 1536, 16, 100, 1, 128, 6, 384, 1'695'000, 6'251'000},
    {"NVIDIA L4", 89, 58, 1536, 24, 100, 1, 128, 48, 192, 2'040'000, 6'251'000},
    {"NVIDIA H200", 90, 132, 2048, 32, 228, 1, 128, 60, 6016, 1'980'000, 3'201'000},
};
// clang-format on

// Checks what holds for every GPU, so that a row with a wrong number does not compile.
constexpr bool FitsTogether(const Row& row) {
  const bool reserves = row.target >= 80;  // since then, and in smaller units
  const MemoryGeometry& memory = row.memory;
  return row.target >= 50 && row.threads % 32 == 0 && row.threads >= 1024 &&
         row.blocks * 32 <= row.threads && row.multiprocessors > 0 &&
         row.reserved_kib == (reserves ? 1 : 0) && row.shared_unit == (reserves ? 128 : 256) &&
         row.shared_kib >= 48 && row.bus_bits % 64 == 0 &&
         std::has_single_bit(memory.sector_bytes) && std::has_single_bit(memory.line_bytes) &&
         std::has_single_bit(memory.shared_banks) &&
         std::has_single_bit(memory.shared_bank_bytes) && memory.sector_bytes <= kSectorBytes &&
         memory.shared_banks <= kSharedBanks &&
         std::ranges::count(kRows, row.target, &Row::target) == 1;
}
static_assert(std::ranges::all_of(kRows, FitsTogether));

GpuGeneration GenerationOf(const Row& row) {
  return {
      .properties =
          {
              .name = std::string(row.name),
              .compute_major = row.target / 10,
              .compute_minor = row.target % 10,
              .global_bytes = std::uint64_t{1} << 30,  // the emulator: Options::memory_bytes
              .warp_size = kLanes,
              .max_threads_per_block = 1024,
              .max_block = {1024, 1024, 64},
              .max_grid = {(1u << 31) - 1, 65535, 65535},
              .multiprocessors = row.multiprocessors,
              .max_threads_per_multiprocessor = row.threads,
              .max_blocks_per_multiprocessor = row.blocks,
              .registers_per_block = 64 << 10,
              .registers_per_multiprocessor = 64 << 10,
              .max_registers_per_thread = 255,
              .register_allocation_unit = 256,
              .shared_bytes_per_block = 48 << 10,
              .shared_bytes_per_block_optin = (row.shared_kib - row.reserved_kib) << 10,
              .shared_bytes_per_multiprocessor = row.shared_kib << 10,
              .shared_bytes_reserved_per_block = row.reserved_kib << 10,
              .shared_allocation_unit = row.shared_unit,
              .constant_bytes = 64 << 10,
              .l2_bytes = row.l2_mib << 20,
              .memory_bus_bits = row.bus_bits,
              .clock_khz = row.clock_khz,
              .memory_clock_khz = row.memory_clock_khz,
          },
      .memory = row.memory,
  };
}

std::span<const GpuGeneration> Generations() {
  static const std::vector<GpuGeneration> all = [] {
    std::vector<GpuGeneration> made;
    std::ranges::transform(kRows, std::back_inserter(made), GenerationOf);
    return made;
  }();
  return all;
}

}  // namespace

const GpuGeneration* GpuFor(int target) {
  for (const GpuGeneration& row : Generations()) {
    if (row.properties.target() == target) return &row;
  }
  return nullptr;
}

std::vector<int> GpuTargets() {
  std::vector<int> targets;
  std::ranges::transform(kRows, std::back_inserter(targets), &Row::target);
  std::ranges::sort(targets);
  return targets;
}

const GpuGeneration& DefaultGpu() {
  const GpuGeneration* row = GpuFor(kDefaultTarget);
  WARPCHECK_CHECK(row != nullptr, "the row of kDefaultTarget is missing");
  return *row;
}

}  // namespace warpcheck
