// Compares what CUPTI counts on this machine's GPU with what an H200 counted for the same launches.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "emulator/calibration.h"
#include "gpu/cupti/launch_counter.h"
#include "gpu/needs_gpu/gpu_rig.h"

namespace warpcheck::gpu {
namespace {

constexpr const char* kCalibration = WARPCHECK_CALIBRATION_DATA "/h200_kernels.ptx";
constexpr const char* kLines = WARPCHECK_TEST_DATA "/lines.ptx";

// The counters that are compared. Other generations have different machine code. For them, counters
// of shared memory and of instructions are left out.
struct Comparison {
  bool ideals = false;
  bool same_code = false;
};

// Returns the name that h200_counters.txt uses for the counter; empty if a GPU does not count it.
std::string_view MetricOf(Counter counter) {
  std::string_view metric = Info(counter).metric;
  constexpr std::string_view kPrefix = "smsp__sass_";
  if (metric.starts_with(kPrefix)) metric.remove_prefix(kPrefix.size());
  return metric;
}

// Returns the counters in h200_counters.txt, which has one a line.
std::string Text(const CounterSet& totals, const Comparison& comparison) {
  std::vector<Counter> counters = {Counter::kGlobalSectors, Counter::kGlobalLoadRequests,
                                   Counter::kGlobalStoreRequests};
  if (comparison.ideals) counters.push_back(Counter::kGlobalSectorsIdeal);
  if (comparison.same_code) {
    counters.insert(counters.end(), {Counter::kSharedWavefronts, Counter::kSharedLoadRequests,
                                     Counter::kSharedStoreRequests, Counter::kWarpInstructions,
                                     Counter::kThreadInstructions});
  }
  if (comparison.same_code && comparison.ideals) {
    counters.push_back(Counter::kSharedWavefrontsIdeal);
  }
  std::string text;
  for (const Counter counter : counters) {
    const auto value = totals[counter];
    text +=
        fmt::format("{} {}\n", Info(counter).name, value ? std::to_string(*value) : "not measured");
  }
  return text;
}

// Returns the difference from the H200's counters; empty if there is no difference.
std::string Difference(const std::string& launch, const Result<LaunchCounts>& counts,
                       const Comparison& comparison) {
  static const auto on_h200 = ReadMeasurements(WARPCHECK_CALIBRATION_DATA "/h200_counters.txt");
  const Measured& measured = on_h200.at(launch);
  CounterSet known;
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    const auto counter = static_cast<Counter>(i);
    const auto found = measured.find(std::string(MetricOf(counter)));
    known.Set(counter, found == measured.end() ? 0 : found->second);
  }
  const std::string expected = Text(known, comparison);
  const std::string got = counts ? Text(counts->counters, comparison) : counts.error().Text();
  return got == expected ? "" : fmt::format("{}: expected\n{}, got\n{}", launch, expected, got);
}

template <class T>
void Append(std::vector<std::byte>& block, T value) {
  block.resize((block.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
  std::memcpy(block.data() + block.size() - sizeof value, &value, sizeof value);
}

GpuRig::Kernel KernelOf(const Calibration& launch, CUdeviceptr a, CUdeviceptr b) {
  GpuRig::Kernel kernel;
  kernel.name = launch.kernel;
  kernel.grid = launch.grid;
  kernel.block = launch.block;
  kernel.dynamic_shared = launch.dynamic_shared;
  if (launch.pointers >= 2) Append(kernel.parameters, a);
  Append(kernel.parameters, b);
  if (launch.pointers == 3) Append(kernel.parameters, b + kCalibrationElements * sizeof(float));
  for (const int scalar : launch.scalars) Append(kernel.parameters, scalar);
  return kernel;
}

GpuRig::Kernel LinesKernel(GpuRig& rig) {
  GpuRig::Kernel kernel;
  kernel.name = "_Z5LinesPKfPfPi";
  kernel.grid = {1, 1, 1};
  kernel.block = {32, 1, 1};
  for (int i = 0; i < 3; ++i) Append(kernel.parameters, rig.Buffer(1 << 16, 0));
  return kernel;
}

class CountersOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!WhyNoGpu().empty()) GTEST_SKIP() << WhyNoGpu();
  }
};

TEST_F(CountersOnGpu, TotalsOfAllCalibrationLaunchesInOneProcess) {
  const std::string failures = InOwnProcess([] {
    GpuRig rig(kCalibration);
    const CUdeviceptr a = rig.Buffer(std::size_t{16} * kCalibrationElements, 1);
    const CUdeviceptr b = rig.Buffer(std::size_t{16} * kCalibrationElements, 0);
    TotalsCounter counter(rig.cupti(), rig.device());
    std::string text;
    for (const Calibration& launch : CalibrationLaunches()) {
      const auto counts = rig.Count(counter, KernelOf(launch, a, b));
      text += Difference(launch.name, counts, {.ideals = false, .same_code = rig.IsHopper()});
    }
    return text;
  });
  EXPECT_EQ(failures, "");
}

class LinesOnGpu : public CountersOnGpu, public testing::WithParamInterface<Calibration> {};

TEST_P(LinesOnGpu, CountEachCalibrationLaunchInItsOwnProcess) {
  const Calibration& launch = GetParam();
  const std::string got = InOwnProcess([&] {
    GpuRig rig(kCalibration);
    const CUdeviceptr a = rig.Buffer(std::size_t{16} * kCalibrationElements, 1);
    const CUdeviceptr b = rig.Buffer(std::size_t{16} * kCalibrationElements, 0);
    LineCounter counter(rig.cupti(), rig.device());
    const auto counts = rig.Count(counter, KernelOf(launch, a, b));
    std::string difference =
        Difference(launch.name, counts, {.ideals = true, .same_code = rig.IsHopper()});
    if (!difference.empty()) return difference;
    CounterSet sum = counts->lines.front().counters;
    for (std::size_t i = 1; i < counts->lines.size(); ++i) sum += counts->lines[i].counters;
    return std::string(sum == counts->counters ? "" : "the lines do not add up to the total");
  });
  EXPECT_EQ(got, "");
}

INSTANTIATE_TEST_SUITE_P(, LinesOnGpu, testing::ValuesIn(CalibrationLaunches()),
                         [](const auto& tested) { return tested.param.name; });

std::string LineText(const LaunchCounts& counts) {
  std::string text;
  for (const LineCounters& line : counts.lines) {
    const CounterSet& c = line.counters;
    const auto value = [&](Counter counter) { return c[counter].value_or(999999); };
    if (value(Counter::kGlobalSectors) + value(Counter::kSharedWavefronts) == 0) continue;
    text +=
        fmt::format("{} sectors {}/{} of loads {} bytes {} wavefronts {}/{}\n", line.where.Text(),
                    value(Counter::kGlobalSectors), value(Counter::kGlobalSectorsIdeal),
                    value(Counter::kGlobalLoadSectors), value(Counter::kGlobalLoadBytes),
                    value(Counter::kSharedWavefronts), value(Counter::kSharedWavefrontsIdeal));
  }
  return text;
}

TEST_F(CountersOnGpu, EveryLineHasItsOwnCountsAfterOtherLaunches) {
  const std::string got = InOwnProcess([] {
    GpuRig rig(kLines);
    const GpuRig::Kernel kernel = LinesKernel(rig);
    for (int i = 0; i < 3; ++i) (void)rig.Run(kernel);
    LineCounter counter(rig.cupti(), rig.device());
    const auto counts = rig.Count(counter, kernel);
    return counts ? LineText(*counts) : counts.error().Text();
  });
  const std::string file = "tests/gpu/needs_gpu/data/lines.cu";
  EXPECT_EQ(got, "device_atomic_functions.hpp:107 sectors 1/1 of loads 0 bytes 0 wavefronts 0/0\n" +
                     file + ":5 sectors 8/8 of loads 4 bytes 128 wavefronts 0/0\n" + file +
                     ":10 sectors 4/4 of loads 4 bytes 128 wavefronts 1/1\n" + file +
                     ":11 sectors 0/0 of loads 0 bytes 0 wavefronts 32/1\n" + file +
                     ":13 sectors 32/4 of loads 0 bytes 0 wavefronts 1/1\n");
}

TEST_F(CountersOnGpu, LinesOfASecondLaunchAreRefused) {
  const std::string got = InOwnProcess([] {
    GpuRig rig(kLines);
    const GpuRig::Kernel kernel = LinesKernel(rig);
    std::string text;
    {
      LineCounter first(rig.cupti(), rig.device());
      text += rig.Count(first, kernel) ? "first\n" : "no first\n";
      const auto again = rig.Count(first, kernel);
      text += again ? "again\n" : again.error().message + "\n";
    }
    LineCounter second(rig.cupti(), rig.device());
    const auto counts = rig.Count(second, kernel);
    return text + (counts ? "second\n" : counts.error().message + "\n");
  });
  const std::string refused =
      "counters cannot be read: CUPTI can count the lines of only one launch in each process, and "
      "this process has counted one\n";
  EXPECT_EQ(got, "first\n" + refused + refused);
}

TEST_F(CountersOnGpu, AFaultOrARefusedLaunchIsNotMeasured) {
  for (const unsigned shared : {0U, 1U << 30}) {
    for (const bool lines : {false, true}) {
      const std::string got = InOwnProcess([&] {
        GpuRig rig(kLines);
        GpuRig::Kernel kernel;
        kernel.name = "_Z5FaultPi";
        kernel.grid = kernel.block = {1, 1, 1};
        // Too many bytes are refused; with 0 bytes the launch runs, and address 0 is a fault.
        kernel.dynamic_shared = shared;
        Append(kernel.parameters, CUdeviceptr{0});
        std::unique_ptr<LaunchCounter> counter;
        if (lines) counter = std::make_unique<LineCounter>(rig.cupti(), rig.device());
        if (!lines) counter = std::make_unique<TotalsCounter>(rig.cupti(), rig.device());
        const auto counts = rig.Count(*counter, kernel);
        return counts ? "measured" : counts.error().message;
      });
      EXPECT_THAT(got, testing::StartsWith("counters "))
          << "shared " << shared << " lines " << lines;
    }
  }
}

}  // namespace
}  // namespace warpcheck::gpu
