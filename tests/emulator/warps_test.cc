// Masks of warp-synchronous instructions, and the groups of cooperative groups that make them:
// every kernel of data/warps.cu is told of where it says so, and nowhere else.
#include <gmock/gmock.h>

#include "emulator/speaking_kernels.h"

namespace warpcheck::emulator {
namespace {

class Warps : public testing::TestWithParam<SpeakingKernel> {};

std::vector<Finding> FindingsOf(const SpeakingKernel& kernel) {
  Options options;
  options.find_races = true;
  options.initialisation = Options::Initialisation::kUses;
  return Speak("warps.cu", kernel, options).findings;
}

TEST_P(Warps, AreToldOfWrongMasksAlone) {
  const std::vector<Finding> findings = FindingsOf(GetParam());
  std::string messages;
  for (const Finding& finding : findings) messages += finding.message + "\n";
  EXPECT_EQ(LinesOf(findings), GetParam().expected) << messages;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Warps,
                         testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/warps.cu")),
                         [](const testing::TestParamInfo<SpeakingKernel>& kernel) {
                           return kernel.param.name;
                         });

}  // namespace
}  // namespace warpcheck::emulator
