#include "trial/devices/emulator_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trial/devices/trial_log.h"

namespace warpcheck {
namespace {

TEST(EmulatorSource, EmulatesTheGpuOfItsTarget) {
  EmulatorSource source({.student_sources = {}, .order_seed = {}, .target = kDefaultTarget});
  EXPECT_EQ(source.Name().value(), "warpcheck emulator (sm_90)");
}

TEST(EmulatorSource, FailsForATargetWithoutARow) {
  EmulatorSource source({.student_sources = {}, .order_seed = {}, .target = 20});
  EXPECT_EQ(source.Name().error().message, "the emulator knows no GPU of compute capability 2.0");
}

constexpr char kExponential[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .f32 %f;\n"
    "mov.f32 %f, 0f00000000;\nex2.approx.f32 %f, %f;\nret;\n}\n";

// Launches the kernel `k` of kExponential once.
void Launch(Device& device) {
  const auto module = device.LoadModule(kExponential);
  ASSERT_TRUE(module.has_value());
  EXPECT_EQ(device.Launch(
                {.module = module->id, .kernel = "k", .grid = {}, .block = {}, .parameters = {}}),
            DeviceError::kSuccess);
}

TEST(EmulatorSource, TellsTheApproximationsOfEachTrial) {
  EmulatorSource source({.student_sources = {}, .order_seed = {}});
  for (int trial = 0; trial < 2; ++trial) {
    TrialLog log;
    const auto device = source.ForTrial({}, log);
    ASSERT_TRUE(device.has_value());
    Launch(**device);
    const auto told = source.TakeApproximations();
    ASSERT_EQ(told.size(), 1U) << "trial " << trial;
    EXPECT_EQ(told[0].instruction, "ex2.approx.f32");
    EXPECT_FALSE(told[0].used);
    EXPECT_THAT(source.TakeApproximations(), testing::IsEmpty());
  }
}

TEST(EmulatorSource, ForgetsWhatNobodyTook) {
  EmulatorSource source({.student_sources = {}, .order_seed = {}});
  TrialLog log;
  Launch(**source.ForTrial({}, log));
  const auto next = source.ForTrial({}, log);
  EXPECT_THAT(source.TakeApproximations(), testing::IsEmpty());
}

}  // namespace
}  // namespace warpcheck
