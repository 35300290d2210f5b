#include "gpu/device_rig.h"

namespace warpcheck::gpu {
namespace {

using testing::Each;

class Memory : public DeviceTest {
 protected:
  std::vector<std::byte> Read(DeviceAddress from, std::size_t bytes) {
    std::vector<std::byte> read(bytes);
    EXPECT_EQ(device().Read(from, read), DeviceError::kSuccess);
    return read;
  }

  std::vector<std::byte> bytes_ = std::vector<std::byte>(64, std::byte{7});
};

TEST_F(Memory, AlignsAndFillsWithNan) {
  for (const std::uint64_t bytes : {1U, 100U, 512U, 70000U}) {
    const DeviceAddress array = Array(bytes);
    EXPECT_EQ(array % 512, 0u);
    EXPECT_THAT(Read(array, bytes), Each(std::byte{0xFF}));
  }
}

TEST_F(Memory, AlignsWhatTheDriverAlignsLess) {
  driver.misalign_by = 256;
  EXPECT_EQ(Array(100) % 512, 0u);
  options.red_zone_bytes = 0;
  EXPECT_EQ(Array(100) % 512, 0u);
}

TEST_F(Memory, WithoutRedZonesAsksForTheVeryBytes) {
  options.red_zone_bytes = 0;
  const DeviceAddress array = Array(100);
  EXPECT_EQ(driver.allocated_bytes, 100u);
  EXPECT_THAT(driver.allocated, testing::Contains(array));
}

TEST_F(Memory, RefusesNothingAndTooMuch) {
  EXPECT_EQ(device().Allocate(0), tl::unexpected(DeviceError::kInvalidValue));
  EXPECT_EQ(device().Allocate(std::uint64_t{2} << 30),
            tl::unexpected(DeviceError::kMemoryAllocation));
  EXPECT_EQ(device().Allocate(~std::uint64_t{0}), tl::unexpected(DeviceError::kMemoryAllocation));
  EXPECT_EQ(device().Memory().free_bytes, device().Memory().total_bytes);
  Array(1000);  // these errors are not sticky
}

TEST_F(Memory, FreesWhatWasAllocatedOnce) {
  const DeviceAddress array = Array(100);
  EXPECT_EQ(device().Free(array + 1), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Free(array), DeviceError::kSuccess);
  EXPECT_EQ(device().Free(array), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Free(0), DeviceError::kSuccess);
  EXPECT_EQ(driver.allocated_bytes, 0u);
}

TEST_F(Memory, WritesCopiesAndFills) {
  const DeviceAddress a = Array(100);
  const DeviceAddress b = Array(100);
  EXPECT_EQ(device().Write(a + 36, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(device().Copy(b, a + 36, 64), DeviceError::kSuccess);
  EXPECT_EQ(Read(b, 64), bytes_);
  EXPECT_EQ(device().Fill(b + 63, std::byte{9}, 37), DeviceError::kSuccess);
  EXPECT_EQ(Read(b + 62, 2), (std::vector{std::byte{7}, std::byte{9}}));
}

TEST_F(Memory, CopiesRangesThatOverlap) {
  const DeviceAddress a = Array(100);
  for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = std::byte(i);
  EXPECT_EQ(device().Write(a, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(device().Copy(a + 10, a, 64), DeviceError::kSuccess);
  EXPECT_EQ(Read(a + 10, 64), bytes_);
}

TEST_F(Memory, RefusesRangesThatLeaveAnAllocation) {
  const DeviceAddress a = Array(100);
  const DeviceAddress b = Array(64);
  EXPECT_EQ(device().Write(a + 37, bytes_), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Write(a - 1, bytes_), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Read(a + 37, bytes_), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Copy(a, b + 1, 64), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Copy(b + 1, a, 64), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Copy(a, b, ~std::uint64_t{0}), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Fill(a, std::byte{0}, 101), DeviceError::kInvalidValue);
  EXPECT_EQ(device().Fill(0, std::byte{0}, 1), DeviceError::kInvalidValue);
  EXPECT_THAT(Read(a, 100), Each(std::byte{0xFF}));  // the memory is unchanged
  EXPECT_EQ(device().Fill(0, std::byte{0}, 0), DeviceError::kSuccess);
}

TEST_F(Memory, RefusesMemoryThatWasFreed) {
  const DeviceAddress a = Array(100);
  EXPECT_EQ(device().Free(a), DeviceError::kSuccess);
  EXPECT_EQ(device().Read(a, bytes_), DeviceError::kInvalidValue);
}

TEST_F(Memory, ChoosesAddressesByItself) {
  EXPECT_EQ(device().Allocate(100, DeviceAddress{1} << 40),
            tl::unexpected(DeviceError::kNotSupported));
  EXPECT_NE(Array(100), 0);  // the error is not sticky
}

}  // namespace
}  // namespace warpcheck::gpu
