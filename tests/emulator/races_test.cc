// Every kernel of data/races.cu races where it says so, and nowhere else, in whatever order blocks
// and warps run; and what findings say.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "base/files.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct RacyKernel {
  std::string name;
  Dim3 grid, block;
  std::vector<std::string> expected;  // "17 shared_race", sorted
};

void PrintTo(const RacyKernel& kernel, std::ostream* out) { *out << kernel.name; }

// Reads the comments of races.cu.
std::vector<RacyKernel> KernelsOf(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return {};
  std::vector<RacyKernel> kernels;
  std::istringstream lines(*text);
  std::string line;
  RacyKernel next;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, std::regex("^// <<<(\\d+), (\\d+)>>>"))) {
      next.grid = {static_cast<std::uint32_t>(std::stoul(match[1])), 1, 1};
      next.block = {static_cast<std::uint32_t>(std::stoul(match[2])), 1, 1};
    } else if (std::regex_search(line, match, std::regex("__global__ void (\\w+)"))) {
      next.name = match[1];
      kernels.push_back(next);
    } else if (std::regex_search(line, match, std::regex("// says: (.*)$"))) {
      std::istringstream kinds(match[1]);
      for (std::string kind; kinds >> kind;) {
        kernels.back().expected.push_back(fmt::format("{} {}", number, kind));
      }
    }
  }
  return kernels;
}

class Races : public testing::TestWithParam<RacyKernel> {
 protected:
  // The findings of a run.
  static std::vector<Finding> Run(const RacyKernel& kernel, std::optional<std::uint64_t> seed) {
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
    std::vector<std::string> seen;
    for (const Finding& finding : Run(GetParam(), seed == 0 ? std::nullopt : std::optional(seed))) {
      seen.push_back(fmt::format("{} {}", finding.where.line, Name(finding.kind)));
      RecordProperty(fmt::format("message_{}", seen.size()), finding.message);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, GetParam().expected) << "with seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Races,
                         testing::ValuesIn(KernelsOf(WARPCHECK_TEST_DATA "/races.cu")),
                         [](const testing::TestParamInfo<RacyKernel>& kernel) {
                           return kernel.param.name;
                         });

}  // namespace
}  // namespace warpcheck::emulator
