// Tests when a launch is counted, and what its record says if it is not.
#include <fmt/format.h>

#include "gpu/device_rig.h"

namespace warpcheck::gpu {
namespace {

using testing::ElementsAre;

// This counter counts 10 sectors for each launch, and records the events.
class FakeCounter : public LaunchCounter {
 public:
  explicit FakeCounter(std::vector<std::string>& events) : events_(events) {}
  ~FakeCounter() override { events_.push_back("gone"); }

  Result<> Begin() override {
    events_.push_back("begin");
    if (!begin_error.empty()) return Fail(begin_error, {}, "a hint");
    return {};
  }

  Result<LaunchCounts> End(const KernelImage& image) override {
    const auto* const cubin = reinterpret_cast<const char*>(image.cubin.data());
    events_.push_back(
        fmt::format("end of {} in '{}'", image.function, std::string(cubin, image.cubin.size())));
    if (!end_error.empty()) return Fail(end_error);
    LaunchCounts counts;
    counts.counters.Set(Counter::kGlobalSectors, 10);
    LineCounters line;
    line.where = {.file = "k.cu", .line = 3};
    line.counters = counts.counters;
    counts.lines.push_back(line);
    counts.missing = missing;
    return counts;
  }

  std::string begin_error;
  std::string end_error;
  std::string missing;

 private:
  std::vector<std::string>& events_;
};

class CountingTest : public DeviceTest {
 protected:
  CountingTest() {
    options.counting = Counting::kTotals;
    AddKernel([this](std::span<const std::byte>) {
      events.push_back("kernel");
      return fault;
    });
    tools.make_counter = [this](CUcontext context) -> Result<std::unique_ptr<LaunchCounter>> {
      EXPECT_NE(context, nullptr);
      events.push_back("made");
      auto counter = std::make_unique<FakeCounter>(events);
      counter->begin_error = begin_error;
      counter->end_error = end_error;
      counter->missing = missing;
      return counter;
    };
  }

  ~CountingTest() override { Destroy(); }  // `events` must still exist

  std::vector<std::string> NotMeasured() const {
    std::vector<std::string> reasons;
    for (const LaunchRecord& record : log.launches) {
      reasons.push_back(record.not_measured);
      EXPECT_EQ(record.not_measured.empty(), record.counters[Counter::kGlobalSectors] == 10u);
      EXPECT_EQ(record.not_measured.empty(), record.lines.size() == 1);
    }
    return reasons;
  }

  std::vector<std::string> events;
  std::string begin_error;
  std::string end_error;
  std::string missing;
  CUresult fault = CUDA_SUCCESS;
};

TEST_F(CountingTest, TotalsAreCountedInEveryLaunch) {
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(events, ElementsAre("made", "begin", "kernel", "end of _Z5scalePf in ''", "begin",
                                  "kernel", "end of _Z5scalePf in ''"));
  EXPECT_THAT(NotMeasured(), ElementsAre("", ""));
}

TEST_F(CountingTest, LinesAreCountedInOneLaunchAlone) {
  options.counting = Counting::kLines;
  options.counted_launch = 1;
  tools.capture_cubin = [](const std::function<void()>& load) -> Result<std::vector<std::byte>> {
    load();
    return std::vector(2, std::byte{'c'});
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(events, ElementsAre("kernel", "made", "begin", "kernel", "end of _Z5scalePf in 'cc'",
                                  "kernel"));
  EXPECT_THAT(NotMeasured(),
              ElementsAre("another launch was counted", "", "another launch was counted"));
}

TEST_F(CountingTest, RefusedLaunchesHaveANumberToo) {
  options.counting = Counting::kLines;
  options.counted_launch = 1;
  LaunchRequest request = Request(0);
  request.grid = {0, 1, 1};
  EXPECT_EQ(device().Launch(request), DeviceError::kInvalidValue);
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  ASSERT_EQ(log.launches.size(), 2u);
  EXPECT_EQ(log.launches[1].counters[Counter::kGlobalSectors], 10u);
}

TEST_F(CountingTest, NothingIsCountedWhereNobodyAsks) {
  options.counting = Counting::kNone;
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(events, ElementsAre("kernel"));
  EXPECT_THAT(NotMeasured(), ElementsAre("counters were not asked for"));
}

TEST_F(CountingTest, SaysWhyThereIsNoCounter) {
  int asked = 0;
  tools.make_counter = [&](CUcontext) -> Result<std::unique_ptr<LaunchCounter>> {
    ++asked;
    return Fail("there is no CUPTI", {}, "install it");
  };
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_EQ(asked, 1);
  EXPECT_THAT(NotMeasured(),
              ElementsAre("there is no CUPTI; install it", "there is no CUPTI; install it"));
}

TEST_F(CountingTest, SaysWhyTheMachineCodeIsNotKnown) {
  tools.capture_cubin = [](const std::function<void()>& load) -> Result<std::vector<std::byte>> {
    load();
    return Fail("another tool watches");
  };
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(events, ElementsAre("kernel"));
  EXPECT_THAT(NotMeasured(), ElementsAre("another tool watches"));
}

TEST_F(CountingTest, AnErrorBeforeTheLaunchStopsTheCounter) {
  begin_error = "no permission";
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(events, ElementsAre("made", "begin", "kernel"));
  EXPECT_THAT(NotMeasured(), ElementsAre("no permission; a hint"));
}

TEST_F(CountingTest, AnErrorAfterTheLaunchIsToldToo) {
  end_error = "records were lost";
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  EXPECT_THAT(NotMeasured(), ElementsAre("records were lost"));
}

TEST_F(CountingTest, SaysWhySomeCountersAreMissing) {
  missing = "there are no ideals";
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  ASSERT_EQ(log.launches.size(), 1u);
  EXPECT_EQ(log.launches[0].counters[Counter::kGlobalSectors], 10u);
  EXPECT_EQ(log.launches[0].not_measured, "there are no ideals");
}

TEST_F(CountingTest, GlobalMemoryOfAKernelWithTexturesIsNotMeasured) {
  driver.kernels[0]->ptx = "{ tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}]; }";
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  ASSERT_EQ(log.launches.size(), 1u);
  const LaunchRecord& launch = log.launches[0];
  EXPECT_EQ(launch.counters[Counter::kGlobalSectors], std::nullopt);
  EXPECT_EQ(launch.lines[0].counters[Counter::kGlobalSectors], std::nullopt);
  EXPECT_EQ(launch.not_measured, "a GPU does not count the accesses of textures as loads");
  EXPECT_EQ(launch.unseen, "");
}

TEST_F(CountingTest, NoCounterSeesTexturesThatAreSampled) {
  driver.kernels[0]->ptx = "{ tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}]; }";
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  ASSERT_EQ(log.launches.size(), 1u);
  EXPECT_EQ(log.launches[0].unseen, "a texture or surface object");
}

TEST_F(CountingTest, KernelsThatFailAreNotMeasured) {
  fault = CUDA_ERROR_ILLEGAL_ADDRESS;
  EXPECT_EQ(Launch(0), DeviceError::kIllegalAddress);
  EXPECT_THAT(events, ElementsAre("made", "begin", "kernel", "end of _Z5scalePf in ''"));
  EXPECT_THAT(NotMeasured(), ElementsAre("the kernel did not end properly"));
}

TEST_F(CountingTest, TheCounterGoesBeforeTheContext) {
  EXPECT_EQ(Launch(0), DeviceError::kSuccess);
  events.clear();
  Destroy();
  EXPECT_THAT(events, ElementsAre("gone"));
  EXPECT_EQ(driver.contexts, 0);
}

}  // namespace
}  // namespace warpcheck::gpu
