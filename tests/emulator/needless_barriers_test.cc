// Tests that each kernel of data/needless_barriers.cu is reported where it says that a barrier
// orders nothing, and nowhere else, in any order of warps.
#include <gmock/gmock.h>

#include "emulator/speaking_kernels.h"

namespace warpcheck::emulator {
namespace {

Options CheckedFor(std::uint64_t seed) {
  Options options;
  options.checkers.push_back(CheckerNamed("barriers"));
  if (seed != 0) options.order_seed = seed;
  return options;
}

class NeedlessBarriers : public testing::TestWithParam<SpeakingKernel> {};

TEST_P(NeedlessBarriers, AreFoundAtTheirLinesAlone) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Spoken spoken = Speak("needless_barriers.cu", GetParam(), CheckedFor(seed));
    EXPECT_EQ(LinesOf(spoken.findings), GetParam().expected) << "with seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, NeedlessBarriers,
    testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/needless_barriers.cu")),
    [](const testing::TestParamInfo<SpeakingKernel>& kernel) { return kernel.param.name; });

TEST(NeedlessBarrierText, SaysHowOftenBlocksWaited) {
  const Spoken spoken =
      Speak("needless_barriers.cu", {"tile_of_ones_own", {2, 1, 1}, {64, 1, 1}, {}}, CheckedFor(0));
  ASSERT_EQ(spoken.findings.size(), 1U);
  EXPECT_EQ(spoken.findings[0].message,
            "the barrier orders nothing: no thread writes data that another thread accesses on the "
            "other side of it; blocks wait here 2 times");
  EXPECT_EQ(spoken.findings[0].count, 2U);
  EXPECT_TRUE(IsInformation(spoken.findings[0].kind));
}

}  // namespace
}  // namespace warpcheck::emulator
