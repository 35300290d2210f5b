#include "hardware/generations.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warpcheck
