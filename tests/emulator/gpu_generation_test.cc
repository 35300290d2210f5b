// Tests that the emulator behaves as the GPU that its options name.
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

constexpr std::string_view kStore =
    "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;";

// This GPU does not exist: its blocks are small, and its sectors are half as wide.
GpuGeneration OddGpu() {
  GpuGeneration odd = DefaultGpu();
  odd.properties.compute_major = 7;
  odd.properties.compute_minor = 5;
  odd.properties.max_threads_per_block = 64;
  odd.memory.sector_bytes = kSectorBytes / 2;
  return odd;
}

TEST(GpuGeneration, DecidesLimitsAndCosts) {
  const GpuGeneration odd = OddGpu();
  for (const GpuGeneration* gpu : {&DefaultGpu(), &odd}) {
    const bool is_odd = gpu == &odd;
    Options options;
    options.gpu = gpu;
    TestDevice device(options);
    EXPECT_EQ(device.device->Properties().target(), is_odd ? 75 : kDefaultTarget);
    device.Load(SmallKernel(kStore));
    const DeviceAddress out = device.Upload(std::vector<int>(128));
    EXPECT_EQ(device.Launch("k", kSingle, {64, 1, 1}, Parameters().Add(out)),
              DeviceError::kSuccess);
    EXPECT_EQ(device.last().counters[Counter::kGlobalStoreSectors], is_odd ? 16U : 8U);
    EXPECT_EQ(device.Launch("k", kSingle, {128, 1, 1}, Parameters().Add(out)),
              is_odd ? DeviceError::kInvalidValue : DeviceError::kSuccess);
  }
}

}  // namespace
}  // namespace warpcheck::emulator
