#include "cli/gpu_host_program.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <string>

#include "device/counters.h"
#include "emulator/emulator.h"
#include "gpu/gpu.h"
#include "remote/device_server.h"

namespace warpcheck {
namespace {

constexpr int kNoGpu = 1;
constexpr int kWrongUsage = 2;

struct HostOptions {
  int socket = 3;
  bool survey = false;
  bool emulator = false;
  bool shows_reads = false;
  gpu::Options gpu;
};

struct Silent : DeviceLog {
  void OnLaunch(const LaunchRecord&) override {}
  void OnFinding(const Finding&) override {}
  void OnPrint(std::string_view) override {}
};

// Returns the counters that the Range Profiler of a GPU has.
CounterSet TotalsOf(const CounterSet& all) {
  CounterSet totals;
  for (const Counter counter : kAllCounters) {
    if (const auto value = all[counter]; value && IsTotal(counter)) totals.Set(counter, *value);
  }
  return totals;
}

// The clock of an emulated GPU: a warp instruction takes a nanosecond, and a copy moves 64 bytes in
// one. So its times are the same in every run.
LaunchTiming TimeOnEmulatedGpu(const CounterSet& counters) {
  constexpr double kCopyBytesPerSecond = 64e9;
  constexpr std::uint32_t kMhz = 1000;
  const double us = static_cast<double>(counters.OrZero(Counter::kWarpInstructions)) / 1000;
  return {.median_us = us,
          .fastest_us = us,
          .runs = 1,
          .sm_clock_mhz = kMhz,
          .memory_clock_mhz = kMhz,
          .copy_bytes_per_second = kCopyBytesPerSecond};
}

// Reports what the emulator saw in the form of a GPU's process: only the counters that were asked
// for, and no reads out of bounds unless `shows_reads` is true. This allows tests of everything
// around a GPU on a machine without one.
class EmulatedGpuLog : public DeviceLog {
 public:
  // `log` must outlive this object.
  EmulatedGpuLog(DeviceLog& log, const HostOptions& options)
      : log_(log), options_(options.gpu), shows_reads_(options.shows_reads) {}

  void OnLaunch(const LaunchRecord& record) override;
  void OnFinding(const Finding& finding) override { log_.OnFinding(finding); }
  void OnPrint(std::string_view text) override { log_.OnPrint(text); }

 private:
  DeviceLog& log_;
  gpu::Options options_;
  bool shows_reads_ = false;
  std::uint32_t launches_ = 0;
};

void EmulatedGpuLog::OnLaunch(const LaunchRecord& record) {
  const std::uint32_t index = launches_++;
  LaunchRecord told = record;
  std::erase_if(told.findings, [this](const Finding& finding) {
    return finding.kind == FindingKind::kOutOfBoundsRead && !shows_reads_;
  });
  if (options_.counting == gpu::Counting::kLines && index == options_.counted_launch) {
    log_.OnLaunch(told);
    return;
  }
  told.lines.clear();
  told.needs.reset();
  if (options_.times_once) told.timing = TimeOnEmulatedGpu(record.counters);
  if (options_.counting == gpu::Counting::kTotals) {
    told.counters = TotalsOf(record.counters);
  } else {
    told.counters = {};
    told.not_measured = options_.counting == gpu::Counting::kLines ? "another launch was counted"
                                                                   : "counters were not asked for";
  }
  log_.OnLaunch(told);
}

std::unique_ptr<Device> MakeEmulated(DeviceLog& log) {
  // A GPU does not limit the instructions of a kernel, so this emulator does not either.
  return emulator::MakeEmulator(log,
                                {.instruction_budget = std::numeric_limits<std::uint64_t>::max(),
                                 .order_seed = {},
                                 .is_student_file = {},
                                 .by_allocation = true});
}

gpu::Survey SurveyOfEmulator() {
  Silent log;
  const DeviceProperties properties = MakeEmulated(log)->Properties();
  gpu::Survey survey;
  survey.name = properties.name;
  survey.driver = "none";
  survey.compute_major = properties.compute_major;
  survey.compute_minor = properties.compute_minor;
  return survey;
}

bool IsSocket(int fd) {
  int type = 0;
  socklen_t bytes = sizeof type;
  return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_STREAM;
}

int Serve(const HostOptions& options) {
  if (!IsSocket(options.socket)) {
    fmt::print(stderr, "gpu_host: descriptor {} is no connected socket\n", options.socket);
    return kWrongUsage;
  }
  remote::DeviceServer server(options.socket);
  if (options.emulator) {
    EmulatedGpuLog log(server, options);
    server.Serve(*MakeEmulated(log));
    return 0;
  }
  const auto device = gpu::MakeGpu(server, options.gpu);
  if (!device) {
    server.Refuse(device.error());
    return kNoGpu;
  }
  server.Serve(**device);
  return 0;
}

int ParseAndServe(int argc, char** argv) {
  HostOptions options;
  CLI::App app("Holds one GPU and serves it over a socket; started by the checks");
  app.add_option("--fd", options.socket, "the socket's descriptor");
  app.add_option("--ordinal", options.gpu.ordinal, "the number of the CUDA device");
  std::string counting = "none";
  app.add_option("--counting", counting, "what to count: none, totals or lines")
      ->check(CLI::IsMember({"none", "totals", "lines"}));
  app.add_option("--launch", options.gpu.counted_launch, "with lines: the launch to count, from 0");
  app.add_flag("--time-first", options.gpu.times_first,
               "with --timed: time the first launch after each reset; for kernels that you trust");
  app.add_flag("--timed", options.gpu.timed, "time the first launch of each kernel and shape");
  app.add_flag("--use", options.gpu.measures_use,
               "with --timed: also measure how busy the GPU is during each timed launch");
  app.add_flag("--time-once", options.gpu.times_once,
               "run each launch once, and time it; only with --counting none");
  app.add_option("--red-zone", options.gpu.red_zone_bytes,
                 "the size of the red zone around every allocation, in bytes");
  app.add_flag("--survey", options.survey,
               "print facts about this machine's GPU as JSON; with --counting lines, also test it");
  app.add_flag("--emulator", options.emulator, "serve the emulator as if it were a GPU");
  app.add_flag("--show-reads", options.shows_reads,
               "with --emulator: report reads out of bounds too, which a GPU does not see");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUsage;
  }
  if (options.gpu.times_once && counting != "none") {
    fmt::print(stderr, "gpu_host: --time-once counts nothing\n");
    return kWrongUsage;
  }
  if (counting == "totals") options.gpu.counting = gpu::Counting::kTotals;
  if (counting == "lines") options.gpu.counting = gpu::Counting::kLines;
  if (!options.survey) return Serve(options);
  const gpu::Survey survey =
      options.emulator
          ? SurveyOfEmulator()
          : gpu::SurveyGpu(options.gpu.ordinal, options.gpu.counting == gpu::Counting::kLines);
  fmt::print("{}", gpu::SurveyText(survey));
  return 0;
}

}  // namespace

int GpuHostProgram(int argc, char** argv) {
  try {
    return ParseAndServe(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "gpu_host: %s\n", exception.what());
    return kNoGpu;
  }
}

}  // namespace warpcheck
