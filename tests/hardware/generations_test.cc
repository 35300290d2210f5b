#include "hardware/generations.h"

#include <gtest/gtest.h>

#include <bit>

#include "device/lanes.h"

namespace warpcheck {
namespace {

TEST(GpuFor, FindsTheRowOfATarget) {
  EXPECT_EQ(GpuFor(kDefaultTarget), &DefaultGpu());
  EXPECT_EQ(GpuFor(10), nullptr);
}

TEST(DefaultGpu, IsAnH200) {
  const DeviceProperties& properties = DefaultGpu().properties;
  EXPECT_EQ(properties.target(), 90);
  EXPECT_EQ(properties.multiprocessors, 132u);
  EXPECT_EQ(properties.shared_bytes_per_block_optin, 227u * 1024);
  EXPECT_EQ(properties.max_grid, (Dim3{2147483647, 65535, 65535}));
  EXPECT_EQ(properties.warp_size, static_cast<std::uint32_t>(kLanes));
  EXPECT_EQ(DefaultGpu().memory, MemoryGeometry());
}

// Checks each row against rules that hold for every GPU, so that a wrong number in a new row fails.
TEST(GpuFor, EveryRowFitsTogether) {
  int rows = 0;
  for (int target = 0; target < 1000; ++target) {
    const GpuGeneration* const row = GpuFor(target);
    if (row == nullptr) continue;
    ++rows;
    SCOPED_TRACE(target);
    const DeviceProperties& gpu = row->properties;
    EXPECT_EQ(gpu.target(), target);
    EXPECT_FALSE(gpu.name.empty());
    EXPECT_EQ(gpu.warp_size, static_cast<std::uint32_t>(kLanes));
    EXPECT_GE(gpu.max_threads_per_multiprocessor, gpu.max_threads_per_block);
    EXPECT_EQ(gpu.max_threads_per_multiprocessor % gpu.warp_size, 0u);
    EXPECT_LE(gpu.max_blocks_per_multiprocessor * gpu.warp_size,
              gpu.max_threads_per_multiprocessor);
    EXPECT_EQ(gpu.registers_per_multiprocessor, gpu.registers_per_block);
    EXPECT_LE(gpu.shared_bytes_per_block, gpu.shared_bytes_per_block_optin);
    // A block can have all shared memory of a multiprocessor, except what CUDA reserves.
    EXPECT_EQ(gpu.shared_bytes_per_block_optin + gpu.shared_bytes_reserved_per_block,
              gpu.shared_bytes_per_multiprocessor);
    EXPECT_EQ(gpu.shared_bytes_per_multiprocessor % gpu.shared_allocation_unit, 0u);
    // CUDA reserves shared memory, and allocates it in smaller units, since compute capability 8.0.
    EXPECT_EQ(gpu.shared_bytes_reserved_per_block, target < 80 ? 0u : 1024u);
    EXPECT_EQ(gpu.shared_allocation_unit, target < 80 ? 256u : 128u);
    EXPECT_GT(gpu.multiprocessors, 0u);
    EXPECT_EQ(gpu.memory_bus_bits % 64, 0u);
    const MemoryGeometry& memory = row->memory;
    for (const std::uint32_t unit :
         {memory.sector_bytes, memory.line_bytes, memory.shared_banks, memory.shared_bank_bytes}) {
      EXPECT_TRUE(std::has_single_bit(unit));
    }
    EXPECT_LE(memory.sector_bytes, kSectorBytes);
    EXPECT_LE(memory.shared_banks, kSharedBanks);
  }
  EXPECT_GE(rows, 1);
}

}  // namespace
}  // namespace warpcheck
