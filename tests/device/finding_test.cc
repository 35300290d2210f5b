#include "device/finding.h"

#include <gtest/gtest.h>

#include "device/types.h"

namespace warpcheck {
namespace {

TEST(FindingKind, HasOneNameEach) {
  EXPECT_EQ(Name(FindingKind::kOutOfBoundsRead), "out_of_bounds_read");
  EXPECT_EQ(ValueNamed<FindingKind>("unsupported_call"), FindingKind::kUnsupportedCall);
  EXPECT_EQ(ValueNamed<FindingKind>("out of bounds"), std::nullopt);
}

TEST(FindingKind, KnowsAfterWhichAKernelGoesOn) {
  EXPECT_TRUE(IsOutOfBounds(FindingKind::kSharedOutOfBounds));
  EXPECT_FALSE(IsOutOfBounds(FindingKind::kIllegalAddress));
  EXPECT_FALSE(IsOutOfBounds(FindingKind::kBarrierDivergence));
}

TEST(DeviceError, IsStickyAfterAFaultAndNotAfterARefusal) {
  EXPECT_TRUE(IsSticky(DeviceError::kIllegalAddress));
  EXPECT_TRUE(IsSticky(DeviceError::kAssert));
  EXPECT_FALSE(IsSticky(DeviceError::kSuccess));
  EXPECT_FALSE(IsSticky(DeviceError::kInvalidConfiguration));
  EXPECT_FALSE(IsSticky(DeviceError::kMemoryAllocation));
}

TEST(DeviceError, HasCudasNames) {
  EXPECT_EQ(CudaErrorName(DeviceError::kIllegalAddress), "cudaErrorIllegalAddress");
  EXPECT_EQ(CudaErrorName(DeviceError::kLaunchOutOfResources), "cudaErrorLaunchOutOfResources");
}

}  // namespace
}  // namespace warpcheck
