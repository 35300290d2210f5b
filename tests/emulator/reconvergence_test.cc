// Tests lanes that meet in different branches. Each kernel of data/reconvergence.cu must compute
// the right result if it is right, and must be reported as it says if it is not, in any order of
// warps.
#include <gmock/gmock.h>

#include "emulator/speaking_kernels.h"

namespace warpcheck::emulator {
namespace {

using testing::Each;

class Meetings : public testing::TestWithParam<SpeakingKernel> {
 protected:
  static Spoken Run(const SpeakingKernel& kernel, int seed, bool watch) {
    Options options;
    if (watch) options.checkers.push_back(CheckerNamed("races"));
    if (watch) options.checkers.push_back(CheckerNamed("initialisation"));
    if (seed != 0) options.order_seed = static_cast<std::uint64_t>(seed);
    return Speak("reconvergence.cu", kernel, options);
  }
};

TEST_P(Meetings, AreToldOfMistakesAlone) {
  for (int seed = 0; seed < 4; ++seed) {
    const Spoken outcome = Run(GetParam(), seed, true);
    std::string messages;
    for (const Finding& finding : outcome.findings) messages += finding.message + "\n";
    EXPECT_EQ(LinesOf(outcome.findings), GetParam().expected) << "seed " << seed << "\n"
                                                              << messages;
  }
}

TEST_P(Meetings, GiveTheRightValues) {
  if (!GetParam().expected.empty()) return;  // kernels with mistakes have no right result
  for (const bool watch : {false, true}) {
    EXPECT_THAT(Run(GetParam(), 0, watch).out, Each(1)) << (watch ? "watched" : "counted alone");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Meetings, testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/reconvergence.cu")),
    [](const testing::TestParamInfo<SpeakingKernel>& kernel) { return kernel.param.name; });

class BankConflictText : public Meetings {};

TEST_F(BankConflictText, NamesTheLanesThatNeverCome) {
  const Spoken outcome = Run({"twice_and_once", {1, 1, 1}, {32, 1, 1}, {}}, 0, true);
  ASSERT_EQ(outcome.findings.size(), 1U);
  EXPECT_EQ(outcome.findings[0].message,
            "the mask 0xffffffff of a warp-synchronous instruction names lanes that do not execute "
            "it: 0xffff0000 (they took another branch)");
}

}  // namespace
}  // namespace warpcheck::emulator
