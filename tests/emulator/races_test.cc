// Every kernel of data/races.cu races where it says so, and nowhere else, in whatever order blocks
// and warps run; and what findings say.
#include <gmock/gmock.h>

#include "base/files.h"
#include "emulator/speaking_kernels.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Races : public testing::TestWithParam<SpeakingKernel> {
 protected:
  // The findings of a run.
  static std::vector<Finding> Run(const SpeakingKernel& kernel, std::optional<std::uint64_t> seed) {
    Options options;
    options.find_races = true;
    options.order_seed = seed;
    options.instruction_budget = 10'000'000;
    TestDevice device(options);
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_RACES);
    if (!ptx) return {};
    device.Load(*ptx);
    const DeviceAddress out = device.Upload(std::vector<int>(16384));
    const DeviceAddress in = device.Upload(std::vector<int>(16384));
    EXPECT_EQ(device.Launch(kernel.name, kernel.grid, kernel.block, Parameters().Add(out).Add(in)),
              DeviceError::kSuccess);
    return device.last().findings;
  }
};

TEST_P(Races, AreFoundAtTheirLinesAlone) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto findings = Run(GetParam(), seed == 0 ? std::nullopt : std::optional(seed));
    EXPECT_EQ(LinesOf(findings), GetParam().expected) << "with seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Races,
                         testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/races.cu")),
                         [](const testing::TestParamInfo<SpeakingKernel>& kernel) {
                           return kernel.param.name;
                         });

}  // namespace
}  // namespace warpcheck::emulator
