// Tests kernels that launch kernels (data/child_launches.cu), by the numbers that they append to a
// list.
#include <gmock/gmock.h>

#include "base/files.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ChildLaunches : public testing::Test {
 protected:
  ChildLaunches() {
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/child_launches.ptx");
    EXPECT_TRUE(ptx.has_value());
    device_.Load(ptx.value_or(""));
    list_ = device_.Upload(std::vector<int>(64));
  }

  DeviceError Launch(const std::string& kernel, const Dim3& block = {1, 1, 1}) {
    return device_.Launch(kernel, {1, 1, 1}, block, Parameters().Add(list_));
  }
  DeviceError Launch(const std::string& kernel, int number) {
    return device_.Launch(kernel, {1, 1, 1}, {1, 1, 1}, Parameters().Add(list_).Add(number));
  }

  // Returns what was appended.
  std::vector<int> List() {
    std::vector<int> list = device_.Download<int>(list_, 64);
    if (list.empty()) return {};
    const auto count = static_cast<std::size_t>(list.front());
    list.erase(list.begin());
    list.resize(count);
    return list;
  }
  std::vector<std::string> Kernels() const {
    std::vector<std::string> names;
    for (const LaunchRecord& launch : device_.log.launches) names.push_back(launch.kernel);
    return names;
  }

  TestDevice device_;
  DeviceAddress list_ = 0;
};

TEST_F(ChildLaunches, BeginWhenTheParentHasEnded) {
  ASSERT_EQ(Launch("launches"), DeviceError::kSuccess);
  EXPECT_THAT(List(), ElementsAre(1, 10, 11, 20, 30));
  EXPECT_THAT(Kernels(), ElementsAre("launches", "appends", "appends", "appends"));
  EXPECT_EQ(device_.log.launches[1].block, (Dim3{2, 1, 1}));
}

TEST_F(ChildLaunches, EndBeforeTheTailOfTheirParent) {
  ASSERT_EQ(Launch("descends", 2), DeviceError::kSuccess);
  EXPECT_THAT(List(), ElementsAre(2, 1, 0, 10, 0, 10, 11, 1, 0, 10, 0, 10, 11, 12));
}

TEST_F(ChildLaunches, GetSizesAndParametersOfTheirLane) {
  ASSERT_EQ(Launch("passes", {3, 1, 1}), DeviceError::kSuccess);
  // Each child has two blocks.
  EXPECT_THAT(List(), ElementsAre(2101, 2101, 2202, 2202, 2303, 2303));
}

TEST_F(ChildLaunches, OfWhichOneIsRefused) {
  ASSERT_EQ(Launch("is_refused"), DeviceError::kSuccess);
  EXPECT_THAT(List(), ElementsAre(2));
  ASSERT_THAT(device_.log.launches, SizeIs(3));
  EXPECT_EQ(device_.log.launches[1].error, DeviceError::kInvalidValue);
  ASSERT_THAT(device_.log.launches[1].findings, SizeIs(1));
  EXPECT_THAT(device_.log.launches[1].findings.front().message, HasSubstr("blockDim.x is 2000"));
}

TEST_F(ChildLaunches, AreAtMost16384OfOneParent) {
  ASSERT_EQ(Launch("launches_often", 16'386), DeviceError::kSuccess);
  EXPECT_THAT(List(), ElementsAre(2));
  ASSERT_THAT(device_.log.launches, SizeIs(1 + 16'384));
  ASSERT_THAT(device_.log.launches.front().findings, SizeIs(1));
  const Finding& finding = device_.log.launches.front().findings.front();
  EXPECT_EQ(finding.kind, FindingKind::kInvalidLaunch);
  EXPECT_EQ(finding.count, 2U);
  EXPECT_EQ(finding.message,
            "launches a kernel although this launch has 16,384 children already: the launch is "
            "refused");
}

TEST_F(ChildLaunches, AreAtMost24Deep) {
  ASSERT_EQ(Launch("goes_deep", 0), DeviceError::kSuccess);
  EXPECT_THAT(List(), ElementsAre(65'024)) << "cudaErrorLaunchMaxDepthExceeded";
  ASSERT_THAT(device_.log.launches, SizeIs(25));
  ASSERT_THAT(device_.log.launches.back().findings, SizeIs(1));
  EXPECT_EQ(device_.log.launches.back().findings.front().message,
            "launches a kernel at depth 25, and kernels may launch one another 24 deep: the launch "
            "is refused");
}

TEST_F(ChildLaunches, AtTheTailAreNoDeeper) {
  ASSERT_EQ(Launch("goes_on", 30), DeviceError::kSuccess);
  EXPECT_THAT(List(), ElementsAre(7));
}

TEST_F(ChildLaunches, AreRefusedInAnUnknownStream) {
  ASSERT_EQ(Launch("uses_no_stream"), DeviceError::kSuccess);
  EXPECT_THAT(device_.log.launches, SizeIs(1));
  EXPECT_THAT(device_.Findings(),
              ElementsAre("invalid_launch: launches a kernel in a stream that does not exist in "
                          "device code: the launch is refused"));
}

TEST_F(ChildLaunches, HaveNoStreamsOfTheirOwn) {
  EXPECT_EQ(Launch("makes_a_stream"), DeviceError::kLaunchFailure);
  EXPECT_THAT(device_.Findings(),
              ElementsAre(HasSubstr("calls __cudaCDP2StreamCreateWithFlags, which the emulator "
                                    "does not support in device code")));
}

TEST_F(ChildLaunches, EndWithTheFirstThatFails) {
  EXPECT_EQ(Launch("launches_what_fails"), DeviceError::kIllegalAddress);
  EXPECT_THAT(Kernels(), ElementsAre("launches_what_fails", "fails"));
}

TEST_F(ChildLaunches, LeaveNoMemoryBehind) {
  const std::uint64_t before = device_.device->Memory().free_bytes;
  ASSERT_EQ(Launch("launches"), DeviceError::kSuccess);
  EXPECT_EQ(device_.device->Memory().free_bytes, before);
}

}  // namespace
}  // namespace warpcheck::emulator
