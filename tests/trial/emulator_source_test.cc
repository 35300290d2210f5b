#include "trial/devices/emulator_source.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warpcheck
