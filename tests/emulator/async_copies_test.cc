// Every kernel of data/async_copies.cu uses memory of an asynchronous copy too early where it says
// so, and nowhere else, in whatever order warps run; and what findings say.
#include <gmock/gmock.h>

#include "emulator/speaking_kernels.h"

namespace warpcheck::emulator {
namespace {

constexpr const char* kSource = "async_copies.cu";

Options WithOrder(std::uint64_t seed) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  if (seed != 0) options.order_seed = seed;
  return options;
}

class AsyncCopies : public testing::TestWithParam<SpeakingKernel> {};

TEST_P(AsyncCopies, AreWaitedForOrFound) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Spoken spoken = Speak(kSource, GetParam(), WithOrder(seed));
    EXPECT_EQ(LinesOf(spoken.findings), GetParam().expected) << "with seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, AsyncCopies,
                         testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/async_copies.cu")),
                         [](const testing::TestParamInfo<SpeakingKernel>& kernel) {
                           return kernel.param.name;
                         });

std::string TextOf(const std::string& name) {
  const Spoken spoken = Speak(kSource, {name, {1, 1, 1}, {64, 1, 1}, {}}, WithOrder(0));
  return spoken.findings.empty() ? "nothing" : spoken.findings.front().message;
}

TEST(AsyncCopyText, NamesTheCopyThatIsUnderWay) {
  EXPECT_EQ(TextOf("does_not_wait"),
            "thread (0,0,0) reads element 0 of tile, which an asynchronous copy of "
            "thread (0,0,0) writes at line 37, before anybody has waited for the copy");
  EXPECT_EQ(TextOf("overwrites_the_source"),
            "an asynchronous copy of thread (0,0,0) reads element 0 of the 65,536-byte array of "
            "the kernel's 1st parameter, which thread (0,0,0) writes at line 191, "
            "before anybody has waited for the copy");
}

// Whose copy it was nobody knows any more.
TEST(AsyncCopyText, NamesTheBarrierThatIsMissingBehindTheWait) {
  EXPECT_EQ(
      TextOf("bulk_load_waited_for_by_one"),
      "thread (32,0,0) reads element 31 of tile, which an asynchronous copy writes at line 460");
}

}  // namespace
}  // namespace warpcheck::emulator
