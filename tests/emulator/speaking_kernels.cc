#include "emulator/speaking_kernels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "base/files.h"

namespace warpcheck::emulator {

void PrintTo(const SpeakingKernel& kernel, std::ostream* out) { *out << kernel.name; }

std::vector<SpeakingKernel> SpeakingKernels(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return {};
  std::vector<SpeakingKernel> kernels;
  std::istringstream lines(*text);
  std::string line;
  SpeakingKernel next;
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
  for (SpeakingKernel& kernel : kernels) std::sort(kernel.expected.begin(), kernel.expected.end());
  return kernels;
}

Spoken Speak(const std::string& source, const SpeakingKernel& kernel, Options options) {
  options.instruction_budget = 10'000'000;
  if (!options.is_student_file) {
    options.is_student_file = [=](std::string_view path) { return path.ends_with(source); };
  }
  TestDevice device(options);
  const std::filesystem::path compiled = WARPCHECK_EMULATOR_COMPILED;
  const auto ptx = ReadFile((compiled / source).replace_extension(".ptx"));
  EXPECT_TRUE(ptx.has_value());
  if (!ptx) return {};
  device.Load(*ptx);
  const DeviceAddress out = device.Upload(std::vector<int>(16384));
  const DeviceAddress in = device.Upload(std::vector<int>(16384));
  EXPECT_EQ(device.Launch(kernel.name, kernel.grid, kernel.block, Parameters().Add(out).Add(in)),
            DeviceError::kSuccess);
  return {device.last().findings,
          device.Download<int>(out, kernel.grid.Count() * kernel.block.Count())};
}

std::vector<std::string> LinesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& finding : findings) {
    lines.push_back(fmt::format("{} {}", finding.where.line, Name(finding.kind)));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace warpcheck::emulator
