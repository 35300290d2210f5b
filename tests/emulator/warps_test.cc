// Masks of warp-synchronous instructions, and the groups of cooperative groups that make them:
// every kernel of data/warps.cu is told of where it says so, and nowhere else.
#include <gmock/gmock.h>

#include "base/files.h"
#include "emulator/speaking_kernels.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

class Warps : public testing::TestWithParam<SpeakingKernel> {};

std::vector<Finding> FindingsOf(const SpeakingKernel& kernel) {
  Options options;
  options.find_races = true;
  options.initialisation = Options::Initialisation::kUses;
  options.instruction_budget = 10'000'000;
  options.is_student_file = [](std::string_view path) { return path.ends_with("warps.cu"); };
  TestDevice device(options);
  const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/warps.ptx");
  if (!ptx) return {};
  device.Load(*ptx);
  const DeviceAddress out = device.Upload(std::vector<int>(16384));
  const DeviceAddress in = device.Upload(std::vector<int>(16384));
  EXPECT_EQ(device.Launch(kernel.name, kernel.grid, kernel.block, Parameters().Add(out).Add(in)),
            DeviceError::kSuccess);
  return device.last().findings;
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
