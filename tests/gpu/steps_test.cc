// Tests steps in streams, and memory of the host.
#include <algorithm>

#include "device/step_runner.h"
#include "gpu/device_rig.h"

namespace warpcheck::gpu {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

class Steps : public DeviceTest {
 protected:
  // The kernel adds 1 to the first byte of its array.
  Steps() {
    AddKernel([this](std::span<const std::byte> parameters) {
      seen_.push_back(*BytesAt(parameters));
      *BytesAt(parameters) = static_cast<unsigned char>(*BytesAt(parameters) + 1);
      return fault_;
    }).us = 50;
  }

  StepRunner& runner() { return dynamic_cast<StepRunner&>(device()); }
  DeviceAddress HostArray(HostMemory memory) {
    const auto address = runner().AllocateHost(4'000'000, memory);
    EXPECT_TRUE(address.has_value());
    EXPECT_EQ(device().Fill(address.value_or(0), std::byte{7}, 4'000'000), DeviceError::kSuccess);
    return address.value_or(0);
  }
  std::byte ByteAt(DeviceAddress address) {
    std::vector<std::byte> byte(1);
    EXPECT_EQ(device().Read(address, byte), DeviceError::kSuccess);
    return byte[0];
  }
  static DeviceStep Copy(std::uint32_t stream, DeviceAddress to, DeviceAddress from) {
    return {.stream = stream, .is_copy = true, .to = to, .from = from, .bytes = 4'000'000};
  }
  DeviceStep Kernel(std::uint32_t stream, DeviceAddress array) {
    DeviceStep step;
    step.stream = stream;
    step.launch = Request(array);
    return step;
  }

  std::vector<int> seen_;
  CUresult fault_ = CUDA_SUCCESS;
};

TEST_F(Steps, TakeTheTimesOfTheirEvents) {
  options.timed = true;
  const DeviceAddress host = HostArray(HostMemory::kPinned), array = Array(4'000'000);
  const auto times = runner().RunSteps({Copy(0, array, host), Kernel(1, array)});
  ASSERT_TRUE(times.has_value());
  ASSERT_THAT(*times, SizeIs(2));
  // A copy of 4 MB takes 2 us here, and the kernel 50 us.
  EXPECT_NEAR((*times)[0].begin_us, 0, 0.1);
  EXPECT_NEAR((*times)[0].end_us, 2, 0.1);
  EXPECT_NEAR((*times)[1].end_us, 52, 0.1);
  EXPECT_THAT(seen_, Each(7)) << "each run copies first";
  EXPECT_EQ(driver.streams, 0);
  EXPECT_EQ(driver.events, 0);
}

TEST_F(Steps, RunFromTheSameHostMemory) {
  options.timed = true;
  const DeviceAddress host = HostArray(HostMemory::kManaged);
  ASSERT_TRUE(runner().RunSteps({Kernel(0, host)}).has_value());
  ASSERT_GE(seen_.size(), 2U);
  EXPECT_EQ(seen_.back(), 7);
  EXPECT_EQ(ByteAt(host), std::byte{8}) << "as after one run";
}

TEST_F(Steps, HaveNoTimesIfNoneAreAskedFor) {
  const DeviceAddress host = HostArray(HostMemory::kPageable), array = Array(4'000'000);
  const auto times =
      runner().RunSteps({Copy(0, array, host), Kernel(0, array), Copy(0, host, array)});
  ASSERT_TRUE(times.has_value());
  EXPECT_THAT(*times, IsEmpty());
  EXPECT_EQ(ByteAt(host), std::byte{8});
  EXPECT_THAT(log.launches, SizeIs(1));
}

TEST_F(Steps, EndWithTheKernelsError) {
  options.timed = true;
  fault_ = CUDA_ERROR_ILLEGAL_ADDRESS;
  const auto times = runner().RunSteps({Kernel(0, Array(4))});
  ASSERT_FALSE(times.has_value());
  EXPECT_EQ(times.error(), DeviceError::kIllegalAddress);
}

TEST_F(Steps, HostMemoryIsFreedOnceAndWithTheDevice) {
  const DeviceAddress pinned = HostArray(HostMemory::kPinned);
  HostArray(HostMemory::kManaged);
  HostArray(HostMemory::kPageable);
  EXPECT_EQ(device().Free(pinned), DeviceError::kSuccess);
  EXPECT_EQ(device().Free(pinned), DeviceError::kInvalidValue);
  EXPECT_FALSE(device().Holds(pinned, 1));
  Destroy();
  EXPECT_THAT(driver.allocated, IsEmpty());
}

TEST_F(Steps, HostMemoryHasItsLimits) {
  EXPECT_EQ(runner().AllocateHost(0, HostMemory::kPinned).error(), DeviceError::kInvalidValue);
  driver.memory_limit = 1000;
  EXPECT_EQ(runner().AllocateHost(2000, HostMemory::kManaged).error(),
            DeviceError::kMemoryAllocation);
}

}  // namespace
}  // namespace warpcheck::gpu
