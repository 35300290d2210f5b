// Tests timed launches: every run starts from the same memory, which is restored afterwards.
#include <algorithm>

#include "gpu/cupti_fake.h"
#include "gpu/device_rig.h"

namespace warpcheck::gpu {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

class Timing : public DeviceTest {
 protected:
  Timing() {
    options.timed = true;
    driver.variables["total"].resize(4);
    // The kernel adds to its array, to memory after it and to a variable, so that a second run
    // would see the effect of the first.
    kernel_ = &AddKernel([this](std::span<const std::byte> parameters) {
      unsigned char* const array = BytesAt(parameters);
      seen_.push_back(array[0]);
      array[0] = static_cast<unsigned char>(array[0] + 1);
      array[100] = 0;
      driver.variables["total"][0] =
          std::byte(1 + std::to_integer<int>(driver.variables["total"][0]));
      kernel_->us = us_.empty() ? 100 : us_[(seen_.size() - 1) % us_.size()];
      return fault_;
    });
  }

  void ExpectOneRunInMemory(DeviceAddress array) {
    std::vector<std::byte> byte(1);
    EXPECT_EQ(device().Read(array, byte), DeviceError::kSuccess);
    EXPECT_EQ(byte[0], std::byte{8});
    EXPECT_EQ(driver.variables["total"][0], std::byte{1});
  }

  DeviceAddress Prepared() {
    const auto module = device().LoadModule(".global .u32 total;");
    EXPECT_TRUE(module.has_value());
    const DeviceAddress array = Array(100);
    EXPECT_EQ(device().Fill(array, std::byte{7}, 100), DeviceError::kSuccess);
    return array;
  }

  FakeKernel* kernel_ = nullptr;
  std::vector<double> us_;  // times of the runs that follow each other
  std::vector<int> seen_;   // the values that each run found in its array
  CUresult fault_ = CUDA_SUCCESS;
};

TEST_F(Timing, RunsFromTheSameMemoryEachTimeAndRestoresIt) {
  const DeviceAddress array = Prepared();
  EXPECT_EQ(Launch(array), DeviceError::kSuccess);
  ASSERT_THAT(log.launches, SizeIs(1));
  ASSERT_TRUE(log.launches[0].timing.has_value());
  const LaunchTiming& timing = *log.launches[0].timing;
  EXPECT_GE(timing.runs, 1u);
  // The number of runs, including the warm-up and the launch itself.
  EXPECT_THAT(seen_, SizeIs(timing.runs + 2));
  EXPECT_THAT(seen_, Each(7));
  EXPECT_EQ(driver.flushes, static_cast<int>(timing.runs) + 1);
  EXPECT_EQ(log.launches[0].findings.size(), 1u);  // only the finding of the launch itself
  ExpectOneRunInMemory(array);
}

TEST_F(Timing, GivesMedianAndFastestAndTheCopysSpeed) {
  us_ = {900, 300, 200};  // the runs after the first, second, ...
  EXPECT_EQ(Launch(Prepared()), DeviceError::kSuccess);
  const auto& timing = log.launches.at(0).timing;
  ASSERT_TRUE(timing.has_value());
  std::vector<double> runs;
  for (std::size_t i = 0; i < timing->runs; ++i) runs.push_back(us_[i % us_.size()]);
  std::ranges::sort(runs);
  EXPECT_NEAR(timing->fastest_us, runs.front(), 0.1);
  const std::size_t half = runs.size() / 2;
  const double median = runs.size() % 2 == 1 ? runs[half] : (runs[half - 1] + runs[half]) / 2;
  EXPECT_NEAR(timing->median_us, median, 0.1);
  // 2e6 bytes a microsecond, in both directions.
  EXPECT_NEAR(timing->copy_bytes_per_second, 4e12, 4e9);
  EXPECT_EQ(timing->sm_clock_mhz, 1980u);
  EXPECT_EQ(timing->memory_clock_mhz, 3201u);
}

// A run of its own, after the timed ones and from the same memory, measures how busy the GPU is.
TEST_F(Timing, MeasuresTheUseFromTheSameMemory) {
  int copies_before = 0;
  CuptiFake cupti;
  cupti.counters = {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 50}};
  options.measures_use = true;
  tools.make_meter = [&](CUcontext) -> Result<std::unique_ptr<UseMeter>> {
    copies_before = driver.large_copies;
    return std::make_unique<UseMeter>(cupti.api, CuptiDevice{});
  };
  const DeviceAddress array = Prepared();
  EXPECT_EQ(Launch(array), DeviceError::kSuccess);
  ASSERT_THAT(log.launches, SizeIs(1));
  EXPECT_GT(copies_before, 0) << "copies are slower after CUPTI has measured";
  EXPECT_EQ(driver.large_copies, copies_before);
  ASSERT_TRUE(log.launches[0].use.has_value());
  EXPECT_EQ(log.launches[0].use->memory, 0.5);
  EXPECT_LT(log.launches[0].use->with_block, 1) << "a grid of one block";
  EXPECT_THAT(seen_, SizeIs(log.launches[0].timing->runs + 3));
  EXPECT_THAT(seen_, Each(7));
  ExpectOneRunInMemory(array);
  Destroy();
}

TEST_F(Timing, DoesWithoutTheUseWhereItIsNotTold) {
  options.measures_use = true;
  tools.make_meter = [](CUcontext) -> Result<std::unique_ptr<UseMeter>> {
    return Fail("there is no CUPTI");
  };
  EXPECT_EQ(Launch(Prepared()), DeviceError::kSuccess);
  EXPECT_FALSE(log.launches.at(0).use.has_value());
  EXPECT_TRUE(log.launches.at(0).timing.has_value());
}

TEST_F(Timing, TimesTheFirstLaunchOfEachTrialOnRequest) {
  options.times_first = true;
  for (std::size_t i = 0; i <= Options::kMostTimed; ++i) {
    const DeviceAddress array = Prepared();
    for (const bool is_first : {true, false}) {
      EXPECT_EQ(Launch(array), DeviceError::kSuccess);
      EXPECT_EQ(log.launches.back().timing.has_value(), is_first) << "trial " << i;
    }
    EXPECT_EQ(device().Reset(), DeviceError::kSuccess);
    module_ = 0;  // Reset() has unloaded it
  }
}

TEST_F(Timing, TimesTheFirstLaunchOfEachShape) {
  const DeviceAddress array = Prepared();
  LaunchRequest larger = Request(array);
  larger.block = {64, 1, 1};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Launch(array), DeviceError::kSuccess);
    EXPECT_EQ(device().Launch(larger), DeviceError::kSuccess);
  }
  ASSERT_THAT(log.launches, SizeIs(4));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(log.launches[i].timing.has_value(), i < 2);
}

TEST_F(Timing, LeavesKernelsThatAllocateAlone) {
  const auto module = device().LoadModule(".extern .func malloc; .visible .entry _Z5scalePf()");
  ASSERT_TRUE(module);
  LaunchRequest request = Request(Array(100));
  request.module = module->id;
  EXPECT_EQ(device().Launch(request), DeviceError::kSuccess);
  EXPECT_FALSE(log.launches.at(0).timing.has_value());
}

TEST_F(Timing, DoesWithoutWhereThereIsNoRoom) {
  driver.memory_limit = std::size_t{64} << 20;
  const DeviceAddress array = Prepared();
  EXPECT_EQ(Launch(array), DeviceError::kSuccess);
  EXPECT_FALSE(log.launches.at(0).timing.has_value());
  EXPECT_THAT(seen_, SizeIs(1));
  ExpectOneRunInMemory(array);
}

TEST_F(Timing, GivesItsMemoryBack) {
  const DeviceAddress array = Prepared();
  const std::size_t before = driver.allocated_bytes;
  EXPECT_EQ(Launch(array), DeviceError::kSuccess);
  EXPECT_EQ(driver.allocated_bytes, before);
  EXPECT_EQ(driver.events, 0);
}

TEST_F(Timing, AFaultIsTheLaunchsOwn) {
  fault_ = CUDA_ERROR_MISALIGNED_ADDRESS;
  EXPECT_EQ(Launch(Prepared()), DeviceError::kMisalignedAddress);
  EXPECT_THAT(seen_, SizeIs(1));
  ASSERT_THAT(log.launches, SizeIs(1));
  EXPECT_FALSE(log.launches[0].timing.has_value());
  ASSERT_THAT(log.launches[0].findings, SizeIs(1));
  EXPECT_EQ(log.launches[0].findings[0].kind, FindingKind::kMisaligned);
  EXPECT_EQ(log.launches[0].not_measured, "the kernel did not end properly");
}

TEST_F(Timing, ARefusalIsTheLaunchsOwn) {
  kernel_->max_threads = 32;
  LaunchRequest request = Request(Array(100));
  request.block = {64, 1, 1};
  EXPECT_EQ(device().Launch(request), DeviceError::kInvalidValue);
  EXPECT_THAT(seen_, IsEmpty());
  ASSERT_THAT(log.launches, SizeIs(1));
  EXPECT_FALSE(log.launches[0].timing.has_value());
  EXPECT_THAT(log.launches[0].findings, SizeIs(1));
}

TEST_F(Timing, WhatItsRunsPrintIsNotTheKernels) {
  kernel_->body = [](std::span<const std::byte>) {
    std::printf("once\n");
    return CUDA_SUCCESS;
  };
  EXPECT_EQ(Launch(Prepared()), DeviceError::kSuccess);
  EXPECT_EQ(log.printed, "once\n");
}

class TimingOnce : public Timing {
 protected:
  TimingOnce() {
    options.timed = false;
    options.times_once = true;
    tools.take_time = [this] { return time_; };
  }

  Result<double> time_ = 12.5;
};

TEST_F(TimingOnce, RunsEachLaunchOnceAndTakesItsTime) {
  const DeviceAddress array = Prepared();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Launch(array), DeviceError::kSuccess);
  EXPECT_THAT(seen_, testing::ElementsAre(7, 8, 9));
  ASSERT_THAT(log.launches, SizeIs(3));
  for (const LaunchRecord& launch : log.launches) {
    ASSERT_TRUE(launch.timing.has_value());
    EXPECT_EQ(launch.timing->median_us, 12.5);
    EXPECT_EQ(launch.timing->runs, 1U);
    EXPECT_EQ(launch.timing->sm_clock_mhz, 1980U);
    EXPECT_NEAR(launch.timing->copy_bytes_per_second, 4e12, 4e9);
    EXPECT_EQ(launch.not_measured, "");
  }
}

TEST_F(TimingOnce, FlushesTheCacheOnceForEachTrial) {
  for (int trial = 1; trial <= 2; ++trial) {
    const DeviceAddress array = Array(100);
    EXPECT_EQ(Launch(array), DeviceError::kSuccess);
    EXPECT_EQ(Launch(array), DeviceError::kSuccess);
    EXPECT_EQ(driver.flushes, trial);
    EXPECT_EQ(device().Reset(), DeviceError::kSuccess);
    module_ = 0;
  }
}

TEST_F(TimingOnce, SaysWhyThereIsNoTime) {
  time_ = Fail("CUPTI is missing", {}, "install it");
  EXPECT_EQ(Launch(Prepared()), DeviceError::kSuccess);
  EXPECT_FALSE(log.launches.at(0).timing.has_value());
  EXPECT_EQ(log.launches.at(0).not_measured, "CUPTI is missing; install it");
}

TEST_F(TimingOnce, AFaultIsTheLaunchsOwn) {
  fault_ = CUDA_ERROR_MISALIGNED_ADDRESS;
  EXPECT_EQ(Launch(Prepared()), DeviceError::kMisalignedAddress);
  EXPECT_FALSE(log.launches.at(0).timing.has_value());
  EXPECT_THAT(log.launches.at(0).findings, SizeIs(1));
}

}  // namespace
}  // namespace warpcheck::gpu
