#include "trial/trial_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/emulator.h"
#include "trial/fakes.h"

void swap_arrays(float*, float*);  // a student would write this function; it is not defined here

namespace warpcheck {
namespace {

using testing::ElementsAre;

DeviceArray<float> ArrayOf(const std::vector<float>& values) {
  return {std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {values.size()}, BytesOf(values), false})};
}

std::shared_ptr<const Plan> PlanOf(const DeviceArray<float>& next, const DeviceArray<float>& curr) {
  return std::make_shared<const Plan>(MakePlan<&swap_arrays>(next, curr));
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

// The last launch counts, however many launches came before it.
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
    sectors += launch.counters.OrZero(Counter::kGlobalSectors);
    launches += launch.launches;
  }
  EXPECT_EQ(sectors, kDecoys + 8'192);
  EXPECT_EQ(launches, log.launched);
  const LaunchRecord& naive = log.launches[TrialLog::kDetailed + 1];
  EXPECT_EQ(naive.launches, 2u);
  EXPECT_THAT(naive.findings, testing::SizeIs(1));
  EXPECT_EQ(naive.lines.front().counters[Counter::kGlobalSectors], 2 * 4'096);
}

// The record stays small, however many kernels there are and however many lines they have.
TEST(TrialLog, KeepsFewRecordsOfManyKernels) {
  constexpr std::size_t kKernels = 3'000;
  std::size_t room = 1 << 20;
  TrialLog log(&room);
  for (std::size_t i = 0; i < kKernels; ++i) {
    LaunchRecord launch = LaunchOf(std::to_string(i));
    for (int line = 1; line <= 100; ++line) AddLine(launch, line, {.sectors = 1, .loads = 1});
    log.OnLaunch(launch);
  }
  EXPECT_LT(log.launches.size(), TrialLog::kDetailed);
  std::uint64_t launches = 0;
  for (const LaunchRecord& launch : log.launches) launches += launch.launches;
  EXPECT_EQ(launches, kKernels);
  EXPECT_EQ(log.launches.back().kernel, "launches of further kernels");
  log.OnLaunch(LaunchOf("void cub::DeviceReduceKernel<int>(int)"));
  EXPECT_EQ(KernelOfALibrary(log.launches.back().kernel), "cub::DeviceReduceKernel");
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
  // Writes to the first array of the plan, as a call would.
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
  device_.BeginCall();
  Write(*there_, {5, 6});
  Trial first = TrialOf(there_);
  device_.MoveInto(first);
  device_.BeginCall();
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
  // When the second call is made alone, it begins with what the first call left.
  EXPECT_EQ(first.plan, there_);
  EXPECT_EQ(second.plan->arrays[1]->bytes, SharedBytes(BytesOf(std::vector<float>{5, 6})));
}

// A program that remembers results by addresses finds other data at these addresses. A program that
// remembers addresses gets other addresses.
TEST_F(TrialDeviceTest, UsesMemoryAgainForOtherArraysOfTheSameSize) {
  const auto first = PlanOf(ArrayOf({1, 2}), ArrayOf({3, 4}));
  const auto longer = PlanOf(ArrayOf({1, 2, 3}), ArrayOf({4, 5, 6}));
  const auto again = PlanOf(ArrayOf({5, 6}), ArrayOf({7, 8}));
  const auto elsewhere = WithFreshMemory(first);
  TrialDevice device({first, longer, again, elsewhere}, *emulator_, log_);
  const std::vector<DeviceAddress> addresses = device.AddressesOf(*first);
  EXPECT_EQ(device.AddressesOf(*again), addresses);
  for (const DeviceAddress address : device.AddressesOf(*elsewhere)) {
    EXPECT_THAT(addresses, testing::Not(testing::Contains(address)));
  }
  for (const auto& plan : {first, longer, again, elsewhere}) {
    device.BeginCall();
    Trial trial = TrialOf(plan);
    device.MoveInto(trial);
    EXPECT_EQ(trial.Output<float>(0).data, trial.Before<float>(0).data);
    EXPECT_EQ(trial.plan, plan);
  }
}

// Data that the host read in one call tells it nothing about new arrays, but everything about
// arrays that are used again.
TEST_F(TrialDeviceTest, CountsTheTrafficOfEachCall) {
  const auto read = [](TrialDevice& device, const Plan& plan) {
    std::vector<std::byte> bytes(8);
    device.BeginCall();
    EXPECT_EQ(device.watched().Read(device.AddressesOf(plan)[0], bytes), DeviceError::kSuccess);
    Trial trial = TrialOf(std::make_shared<const Plan>(plan));
    device.MoveInto(trial);
    return trial.traffic.read_back;
  };
  EXPECT_EQ(read(device_, *there_), 8U);
  EXPECT_EQ(read(device_, *back_), 16U);
  const auto other = PlanOf(ArrayOf({1, 2}), ArrayOf({3, 4}));
  TrialDevice unrelated({there_, other}, *emulator_, log_);
  EXPECT_EQ(read(unrelated, *there_), 8U);
  EXPECT_EQ(read(unrelated, *other), 8U);
}

TEST_F(TrialDeviceTest, GivesEachTrialItsOwnRecord) {
  device_.BeginCall();
  device_.watched().NoteUnsupportedCall("cudaMallocPitch");
  Trial first = TrialOf(there_);
  device_.MoveInto(first);
  device_.BeginCall();
  Trial second = TrialOf(back_);
  device_.MoveInto(second);
  EXPECT_THAT(first.findings, testing::SizeIs(1));
  EXPECT_THAT(second.findings, testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck
