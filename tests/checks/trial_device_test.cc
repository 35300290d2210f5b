#include "checks/trial_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/fakes.h"
#include "emulator/emulator.h"

// Linked in as a reference would be.
void swapping_reference(float*, float*) {}

namespace warpcheck {
namespace {

using testing::ElementsAre;

DeviceArray<float> ArrayOf(const std::vector<float>& values) {
  return {std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {values.size()}, BytesOf(values), false})};
}

std::shared_ptr<const Plan> PlanOf(const DeviceArray<float>& next, const DeviceArray<float>& curr) {
  return std::make_shared<const Plan>(MakePlan(&swapping_reference, next, curr));
}

Trial TrialOf(const std::shared_ptr<const Plan>& plan) {
  Trial trial = ReturnedTrial();
  trial.plan = plan;
  return trial;
}

class TrialDeviceTest : public testing::Test {
 protected:
  // What a call of this plan would leave in its first array.
  void Write(const Plan& plan, const std::vector<float>& values) {
    ASSERT_EQ(device_.watched().Write(device_.AddressesOf(plan)[0], BytesOf(values)),
              DeviceError::kSuccess);
  }

  DeviceArray<float> a_ = ArrayOf({1, 2});
  DeviceArray<float> b_ = ArrayOf({3, 4});
  std::shared_ptr<const Plan> there_ = PlanOf(b_, a_);
  std::shared_ptr<const Plan> back_ = PlanOf(a_, b_);
  TrialLog log_;
  std::unique_ptr<Device> emulator_ = emulator::MakeEmulator(log_);
  TrialDevice device_{{there_, back_}, *emulator_, log_};
};

TEST_F(TrialDeviceTest, KeepsItsArraysBetweenCalls) {
  EXPECT_THAT(device_.AddressesOf(*back_),
              ElementsAre(device_.AddressesOf(*there_)[1], device_.AddressesOf(*there_)[0]));
  Write(*there_, {5, 6});
  Trial first = TrialOf(there_);
  device_.MoveInto(first);
  Write(*back_, {7, 8});
  Trial second = TrialOf(back_);
  device_.MoveInto(second);

  EXPECT_THAT(first.Before<float>(0).data, ElementsAre(3, 4));
  EXPECT_THAT(first.Before<float>(1).data, ElementsAre(1, 2));
  EXPECT_THAT(first.Output<float>(0).data, ElementsAre(5, 6));
  EXPECT_THAT(first.Output<float>(1).data, ElementsAre(1, 2));
  EXPECT_THAT(second.Before<float>(0).data, ElementsAre(1, 2));
  EXPECT_THAT(second.Before<float>(1).data, ElementsAre(5, 6));
  EXPECT_THAT(second.Output<float>(0).data, ElementsAre(7, 8));
  EXPECT_THAT(second.Output<float>(1).data, ElementsAre(5, 6));
}

TEST_F(TrialDeviceTest, GivesEachTrialItsOwnRecord) {
  device_.watched().NoteUnsupportedCall("cudaMallocPitch");
  Trial first = TrialOf(there_);
  device_.MoveInto(first);
  Trial second = TrialOf(back_);
  device_.MoveInto(second);
  EXPECT_THAT(first.findings, testing::SizeIs(1));
  EXPECT_THAT(second.findings, testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck
