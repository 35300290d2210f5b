// Tests masks of warp-synchronous instructions, and cooperative groups that make them. Each kernel
// of data/warps.cu must be reported where it says so, and nowhere else.
#include <gmock/gmock.h>

#include "emulator/speaking_kernels.h"

namespace warpcheck::emulator {
namespace {

class Warps : public testing::TestWithParam<SpeakingKernel> {};

std::vector<Finding> FindingsOf(const SpeakingKernel& kernel) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  options.checkers.push_back(CheckerNamed("initialisation"));
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

// Returns the only finding of a kernel of warps.cu.
Finding TheFindingOf(const std::string& name) {
  for (const SpeakingKernel& kernel : SpeakingKernels(WARPCHECK_TEST_DATA "/warps.cu")) {
    if (kernel.name != name) continue;
    const std::vector<Finding> findings = FindingsOf(kernel);
    EXPECT_EQ(findings.size(), 1U);
    return findings.empty() ? Finding() : findings.front();
  }
  ADD_FAILURE() << "there is no kernel " << name;
  return {};
}

TEST(UndefinedShuffle, NamesTheLaneThatIsNotInTheMask) {
  const Finding finding = TheFindingOf("sums_half_a_warp_by_16");
  EXPECT_EQ(finding.message,
            "lane 0 reads lane 16, which is not in the mask 0x0000ffff, and line 22 stores a value "
            "that depends on it");
  EXPECT_EQ(finding.hint,
            "read only from lanes of the mask: if fewer than 32 lanes shuffle, pass their number "
            "as the width (the fourth argument). Or let all 32 lanes take part, with the mask "
            "0xffffffff and a neutral value (0 for a sum) where there is no element");
  EXPECT_EQ(finding.thread, (ThreadPosition{{0, 0, 0}, {0, 0, 0}, 0}));
  EXPECT_EQ(finding.count, 1U);
}

TEST(UndefinedShuffle, NamesTheLaneThatHasEnded) {
  const Finding finding = TheFindingOf("sums_what_others_left");
  EXPECT_EQ(finding.message,
            "lane 4 reads lane 20, which has ended, and line 32 stores a value that depends on it");
  EXPECT_EQ(finding.hint,
            "let all lanes of the warp reach the shuffle: do not return early, but guard the load "
            "and the store. Use a neutral value (0 for a sum) where there is no element");
}

TEST(UndefinedShuffle, NamesTheLaneThatNeverWas) {
  const Finding finding = TheFindingOf("sums_a_warp_that_is_not_full");
  EXPECT_EQ(finding.message,
            "lane 0 reads lane 16, which does not exist: the block has 40 threads, and line 41 "
            "stores a value that depends on it");
  EXPECT_EQ(finding.hint,
            "make the block a multiple of 32 threads, or shuffle only among lanes that exist: in "
            "half a warp start with an offset of 8, not 16");
  EXPECT_EQ(finding.thread, (ThreadPosition{{0, 0, 0}, {32, 0, 0}, 0}));
}

TEST(UndefinedShuffle, NamesTheBranch) {
  EXPECT_EQ(
      TheFindingOf("branches_by_what_nobody_gave").message,
      "lane 30 reads lane 31, which has ended, and line 48 branches on a value that depends on it");
}

// Marks of shared memory remember the shuffle.
TEST(UndefinedShuffle, NamesTheShuffleAndNotTheTile) {
  EXPECT_EQ(
      TheFindingOf("keeps_it_in_a_tile").message,
      "lane 20 reads lane 24, which has ended, and line 57 stores a value that depends on it");
}

}  // namespace
}  // namespace warpcheck::emulator
