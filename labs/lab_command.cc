#include <fmt/format.h>

#include "base/files.h"
#include "cli/exit_status.h"
#include "host/gpu_host.h"
#include "host/places.h"
#include "labs/commands.h"
#include "labs/transpose_lab.h"

namespace warpcheck {
namespace {

// The device on which the lab runs.
struct Bench {
  std::string device;                  // such as "NVIDIA H200"
  std::vector<std::string> arguments;  // arguments for gpu_host
  std::vector<std::uint32_t> sizes;
  bool timed = false;
};

Result<Bench> BenchFor(const LabOptions& options) {
  Bench bench;
  const Bench emulator{"warpcheck emulator",
                       {"--emulator", "--counting=lines", "--launch=0"},
                       {256, 512, 1024},
                       false};
  if (options.device != "emulator") {
    const auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kProperties));
    if (!survey.no_gpu) {
      bench = {survey.name, {"--launch=0", "--timed"}, {256, 512, 1024, 2048, 4096, 8192}, true};
    } else if (options.device == "gpu") {
      return Fail(*survey.no_gpu);
    } else {
      bench = emulator;
    }
  } else {
    bench = emulator;
  }
  if (!options.sizes.empty()) bench.sizes = options.sizes;
  return bench;
}

Result<> CheckUsage(const LabOptions& options) {
  for (const std::uint32_t size : options.sizes) {
    if (IsTransposeSize(size)) continue;
    return Fail(fmt::format("--sizes: {} is not a multiple of 32 from 32 to 16384", size));
  }
  return {};
}

Result<> RunLab(const LabOptions& options) {
  const auto bench = WARPCHECK_TRY(BenchFor(options));
  if (!options.svg.empty() && !bench.timed) {
    return Fail("--svg: the emulator measures no times to plot", {}, "use --device gpu");
  }
  const auto ptx = ReadFile(Programs() / "lab_transpose.ptx");
  if (!ptx) {
    Error error = ptx.error();
    error.hint =
        "packages do not contain the lab's kernels, since they solve the exercise: use a build "
        "from source, after make build";
    return Fail(std::move(error));
  }
  std::vector<LabRun> runs;
  for (const std::uint32_t size : bench.sizes) {
    for (const std::string& variant : TransposeVariants()) {
      runs.push_back(WARPCHECK_TRY(RunTranspose(variant, size, *ptx, bench.arguments)));
    }
  }
  fmt::print("Transposing n x n floats on {}\n{}", bench.device,
             bench.timed ? BandwidthTable(runs) : CounterTable(runs));
  if (options.svg.empty()) return {};
  return WriteFile(options.svg, SvgOf(BandwidthPlot(runs, bench.device)));
}

}  // namespace

int LabCommand(const LabOptions& options) {
  if (const auto usage = CheckUsage(options); !usage) {
    fmt::print(stderr, "warpcheck: {}\n", usage.error().Text());
    return kExitUsage;
  }
  const auto done = RunLab(options);
  if (done) return kExitFull;
  fmt::print(stderr, "warpcheck: {}\n", done.error().Text());
  return kExitFault;
}

}  // namespace warpcheck
