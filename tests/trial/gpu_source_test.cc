// Tests the processes that serve GPUs for trials. gpu_host runs the emulator instead of a GPU.
#include "trial/devices/gpu_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "trial/devices/trial_log.h"

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kPtx = R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "k.cu"
.visible .entry copy(.param .u64 to, .param .u64 from)
{
  .reg .b64 %a<6>;
  .reg .b32 %r<4>;
  ld.param.u64 %a1, [to];
  ld.param.u64 %a2, [from];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %a3, %r1, 4;
  add.u64 %a4, %a1, %a3;
  add.u64 %a5, %a2, %a3;
  .loc 1 7 1
  ld.global.u32 %r2, [%a5];
  .loc 1 8 1
  st.global.u32 [%a4], %r2;
  ret;
}
.visible .entry endless()
{
AGAIN:
  bra AGAIN;
}
)";

// Makes a script that runs gpu_host on the emulator, and writes its process ids to `pids`, one a
// line.
class GpuSourceTest : public testing::Test {
 protected:
  GpuSourceTest() {
    char path[] = "/tmp/warpcheck-gpu-source-XXXXXX";
    folder_ = ::mkdtemp(path);
    const auto script = folder_ / "gpu_host";
    std::ofstream(script) << "#!/bin/sh\necho \"$$ $*\" >> " << (folder_ / "pids").string()
                          << "\nexec " WARPCHECK_GPU_HOST " --emulator \"$@\"\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    settings_.gpu_host = script;
    limits_.launch_time = std::chrono::seconds(60);
  }
  ~GpuSourceTest() override { std::filesystem::remove_all(folder_); }

  // Returns the process ids and arguments of the started processes with `counting`.
  std::vector<std::string> Started(std::string_view counting) const {
    std::ifstream file(folder_ / "pids");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
      if (line.find(fmt::format("--counting {}", counting)) != line.npos) lines.push_back(line);
    }
    return lines;
  }

  static DeviceError Launch(Device& device, const std::string& kernel, std::uint32_t threads = 32,
                            std::uint32_t blocks = 1) {
    const auto module = device.LoadModule(kPtx);
    EXPECT_TRUE(module);
    if (!module) return module.error();
    LaunchRequest request;
    request.module = module->id;
    request.kernel = kernel;
    request.block = {threads, 1, 1};
    request.grid = {blocks, 1, 1};
    if (kernel == "copy") {
      const std::uint64_t addresses[] = {device.Allocate(128).value(),
                                         device.Allocate(128).value()};
      const auto bytes = std::as_bytes(std::span(addresses));
      request.parameters.assign(bytes.begin(), bytes.end());
    }
    return device.Launch(request);
  }

  std::filesystem::path folder_;
  GpuSource::Settings settings_;
  CallLimits limits_;
  TrialLog log_;
};

TEST_F(GpuSourceTest, KeepsOneProcessFromTrialToTrial) {
  GpuSource source(settings_);
  EXPECT_EQ(source.Name().value(), "NVIDIA H200");
  for (int trial = 0; trial < 3; ++trial) {
    TrialLog log;
    const auto device = source.ForTrial(limits_, log);
    ASSERT_TRUE(device) << device.error().Text();
    EXPECT_EQ((*device)->Memory().free_bytes, (*device)->Memory().total_bytes);
    EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
    ASSERT_THAT(log.launches, SizeIs(1));
    EXPECT_EQ(log.launches[0].counters[Counter::kGlobalSectors], 8u);
    EXPECT_EQ(log.launches[0].counters[Counter::kGlobalSectorsIdeal], std::nullopt);
    EXPECT_THAT(log.launches[0].lines, IsEmpty());
  }
  EXPECT_THAT(Started("totals"), SizeIs(1));
}

TEST_F(GpuSourceTest, ReplacesAProcessWhoseKernelNeverEnds) {
  GpuSource source(settings_);
  {
    limits_.launch_time = std::chrono::milliseconds(300);
    const auto device = source.ForTrial(limits_, log_);
    ASSERT_TRUE(device);
    EXPECT_EQ(Launch(**device, "endless"), DeviceError::kLaunchTimeout);
    EXPECT_EQ((*device)->Free(0), DeviceError::kLaunchTimeout);
  }
  ASSERT_THAT(log_.launches, SizeIs(1));
  EXPECT_EQ(log_.launches[0].findings.at(0).kind, FindingKind::kBudgetExceeded);
  TrialLog log;
  const auto device = source.ForTrial(limits_, log);
  ASSERT_TRUE(device);
  EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  const auto started = Started("totals");
  ASSERT_THAT(started, SizeIs(2));
  EXPECT_NE(::kill(std::stoi(started[0]), 0), 0) << "the first process still runs";
}

TEST_F(GpuSourceTest, OutlivesAProcessThatIsKilled) {
  GpuSource source(settings_);
  {
    const auto device = source.ForTrial(limits_, log_);
    ASSERT_TRUE(device);
    ::kill(std::stoi(Started("totals").at(0)), SIGKILL);
    EXPECT_EQ((*device)->Allocate(8).error(), DeviceError::kUnknown);
  }
  ASSERT_THAT(log_.findings, SizeIs(1));
  EXPECT_EQ(log_.findings[0].kind, FindingKind::kDeviceLost);
  EXPECT_EQ(log_.findings[0].message,
            "the process of the device ended: it was killed by signal 9 (killed)");
  const auto device = source.ForTrial(limits_, log_);
  ASSERT_TRUE(device);
  EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
}

TEST_F(GpuSourceTest, CountsTheLaunchThatIsAskedFor) {
  GpuSource source(settings_);
  const auto device = source.ForLaunch(1, limits_, log_);
  ASSERT_TRUE(device);
  EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  ASSERT_THAT(log_.launches, SizeIs(2));
  EXPECT_EQ(log_.launches[0].not_measured, "another launch was counted");
  EXPECT_EQ(log_.launches[1].counters[Counter::kGlobalSectorsIdeal], 8u);
  EXPECT_THAT(log_.launches[1].lines, SizeIs(testing::Ge(2)));
  EXPECT_THAT(Started("lines --launch 1"), SizeIs(1));
}

TEST_F(GpuSourceTest, CountsLinesAloneWhereOthersUseTheGpuToo) {
  settings_.use = GpuSource::Settings::Use::kLines;
  GpuSource source(settings_);
  {
    const auto device = source.ForTrial(limits_, log_);
    ASSERT_TRUE(device);
    EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  }
  EXPECT_EQ(log_.launches.at(0).counters[Counter::kGlobalSectors], std::nullopt);
  const auto device = source.ForLaunch(0, limits_, log_);
  ASSERT_TRUE(device);
  EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  EXPECT_EQ(log_.launches.at(1).counters[Counter::kGlobalSectors], 8U);
  EXPECT_THAT(Started("none"), SizeIs(1));
  EXPECT_THAT(Started("lines"), testing::ElementsAre(testing::EndsWith("lines --launch 0")));
}

// Machine code names only the innermost place, but the student's line counts.
TEST_F(GpuSourceTest, CountsInlinedHeadersAtTheStudentsLines) {
  const std::string inlined = [] {
    std::string ptx(kPtx);
    const std::string load = ".loc 1 7 1\n";
    ptx.replace(ptx.find(load), load.size(),
                ".loc 2 84 3, function_name $L__info_string0, inlined_at 1 7 1\n");
    return ptx + ".file 2 \"header.hpp\"\n.section .debug_str {\n$L__info_string0:\n.b8 102\n}\n";
  }();
  settings_.is_student_file = [](std::string_view path) { return path == "k.cu"; };
  GpuSource source(settings_);
  const auto device = source.ForLaunch(0, limits_, log_);
  ASSERT_TRUE(device);
  const auto module = (*device)->LoadModule(inlined);
  ASSERT_TRUE(module);
  LaunchRequest request;
  request.module = module->id;
  request.kernel = "copy";
  request.block = {32, 1, 1};
  const std::uint64_t addresses[] = {(*device)->Allocate(128).value(),
                                     (*device)->Allocate(128).value()};
  const auto bytes = std::as_bytes(std::span(addresses));
  request.parameters.assign(bytes.begin(), bytes.end());
  EXPECT_EQ((*device)->Launch(request), DeviceError::kSuccess);
  std::vector<std::string> places;
  for (const LineCounters& line : log_.launches.at(0).lines) {
    if (line.counters[Counter::kGlobalSectors] != 0U) places.push_back(line.where.Text());
  }
  EXPECT_THAT(places, testing::ElementsAre("k.cu:7", "k.cu:8"));
}

TEST_F(GpuSourceTest, StartsTheNextCountedProcessAhead) {
  GpuSource source(settings_);
  for (int i = 0; i < 2; ++i) {
    const auto device = source.ForLaunch(0, limits_, log_);
    ASSERT_TRUE(device);
    EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  }
  EXPECT_EQ(log_.launches.at(1).counters[Counter::kGlobalSectorsIdeal], 8u);
}

TEST_F(GpuSourceTest, SaysThatThereIsNoGpu) {
  settings_.gpu_host = WARPCHECK_GPU_HOST;  // this program does not use the emulator
  GpuSource source(settings_);
  const auto name = source.Name();
  if (name) GTEST_SKIP() << "there is a GPU: " << *name;
  EXPECT_NE(name.error().hint, "");
}

TEST_F(GpuSourceTest, SaysThatGpuHostCannotRun) {
  settings_.gpu_host = "/nowhere/gpu_host";
  EXPECT_EQ(GpuSource(settings_).Name().error().message,
            "cannot run /nowhere/gpu_host: No such file or directory");
}

TEST_F(GpuSourceTest, SaysHowAGpuHostEndedThatDoesNotServe) {
  settings_.gpu_host = "/bin/false";
  EXPECT_EQ(GpuSource(settings_).Name().error().message,
            "the process of the device ended: it exited with status 1");
}

TEST_F(GpuSourceTest, CountsAtOnceAsAWitness) {
  settings_.use = GpuSource::Settings::Use::kWitness;
  GpuSource source(settings_);
  EXPECT_TRUE(source.CountsAtOnce());
  const auto device = source.ForTrial(limits_, log_);
  ASSERT_TRUE(device);
  EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  EXPECT_EQ(log_.launches.at(0).counters[Counter::kGlobalSectors], 8u);
  EXPECT_THAT(Started("totals --timed --red-zone 0"), SizeIs(1));
  EXPECT_THAT(Started("lines"), IsEmpty());
}

TEST_F(GpuSourceTest, CountsNothingWhereResultsAreEnough) {
  settings_.use = GpuSource::Settings::Use::kResults;
  GpuSource source(settings_);
  EXPECT_TRUE(source.CountsAtOnce());
  const auto device = source.ForTrial(limits_, log_);
  ASSERT_TRUE(device);
  EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  EXPECT_FALSE(log_.launches.at(0).counters[Counter::kGlobalSectors].has_value());
  EXPECT_FALSE(log_.launches.at(0).timing.has_value());
  EXPECT_THAT(Started("none --red-zone 0"), SizeIs(1));
}

TEST_F(GpuSourceTest, TimesEachLaunchOnceForSpeed) {
  settings_.use = GpuSource::Settings::Use::kSpeed;
  GpuSource source(settings_);
  EXPECT_TRUE(source.CountsAtOnce());
  const auto device = source.ForTrial(limits_, log_);
  ASSERT_TRUE(device);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Launch(**device, "copy"), DeviceError::kSuccess);
  ASSERT_THAT(log_.launches, SizeIs(2));
  ASSERT_TRUE(log_.launches[1].timing.has_value());
  const double us = log_.launches[1].timing->median_us;
  EXPECT_GT(us, 0);
  EXPECT_DOUBLE_EQ(log_.times.us, 2 * us);
  EXPECT_EQ(log_.times.untimed, 0U);
  EXPECT_EQ(log_.times.lowest_sm_mhz, 1000U);
  EXPECT_THAT(Started("none"), IsEmpty());
}

}  // namespace
}  // namespace warpcheck
