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

LaunchRecord CountedLaunch(const std::string& kernel, std::uint64_t sectors) {
  LaunchRecord launch = LaunchOf(kernel);
  AddLine(launch, 3, {.sectors = sectors, .loads = 1});
  return launch;
}

// However many launches come first: what the last one does counts.
TEST(TrialLog, AddsUpWhatItDoesNotKeepOneByOne) {
  constexpr std::size_t kDecoys = 20'000;
  TrialLog log;
  for (std::size_t i = 0; i < kDecoys; ++i) log.OnLaunch(CountedLaunch("decoy", 1));
  log.OnLaunch(CountedLaunch("naive", 4'096));
  LaunchRecord failed = LaunchOf("naive");
  failed.error = DeviceError::kInvalidConfiguration;
  log.OnLaunch(failed);
  LaunchRecord faulty = CountedLaunch("naive", 4'096);
  Finding finding;
  finding.kind = FindingKind::kOutOfBoundsWrite;
  faulty.findings = {finding};
  log.OnLaunch(faulty);

  EXPECT_EQ(log.launched, kDecoys + 3);
  ASSERT_EQ(log.launches.size(), TrialLog::kDetailed + 3);
  std::uint64_t sectors = 0;
  std::uint64_t launches = 0;
  for (const LaunchRecord& launch : log.launches) {
    sectors += launch.totals[Counter::kGlobalSectors].value_or(0);
    launches += launch.launches;
  }
  EXPECT_EQ(sectors, kDecoys + 2 * 4'096);
  EXPECT_EQ(launches, log.launched);
  const LaunchRecord& naive = log.launches[TrialLog::kDetailed + 1];
  EXPECT_EQ(naive.launches, 2u);
  EXPECT_THAT(naive.findings, testing::SizeIs(1));
  EXPECT_EQ(naive.lines.front().counters[Counter::kGlobalSectors], 2 * 4'096);
}

TEST(TrialLog, DoesNotLetOneKindOfFindingHideAnother) {
  TrialLog log;
  Finding finding;
  finding.kind = FindingKind::kLeak;
  for (int i = 0; i < 5'000; ++i) {
    finding.message = std::to_string(i);
    log.OnFinding(finding);
  }
  finding.kind = FindingKind::kWrongCopy;
  log.OnFinding(finding);
  ASSERT_EQ(log.findings.size(), TrialLog::kMostOfAKind + 1);
  EXPECT_EQ(log.findings.back().kind, FindingKind::kWrongCopy);
  EXPECT_EQ(log.findings.front().count, 5'000 - TrialLog::kMostOfAKind + 1);
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
