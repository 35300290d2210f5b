// Measures the speed of the emulator, with all counting and checks on. The counter
// "warp_instructions" is the number of warp instructions in a second.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "emulator/checkers/checkers.h"
#include "emulator/emulator.h"

namespace warpcheck {
namespace {

class CountingLog : public DeviceLog {
 public:
  void OnLaunch(const LaunchRecord& record) override {
    WARPCHECK_CHECK(record.findings.empty(), "a benchmark's kernel has a fault");
    warp_instructions += record.counters[Counter::kWarpInstructions].value_or(0);
  }
  void OnFinding(const Finding& finding) override {
    CheckFailed(__FILE__, __LINE__, "", finding.message);
  }
  void OnPrint(std::string_view) override {}

  std::uint64_t warp_instructions = 0;
};

class Parameters {
 public:
  template <class T>
  Parameters& Add(T value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  std::vector<std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

emulator::Options Unlimited() {
  emulator::Options options;
  options.instruction_budget = ~std::uint64_t{0};
  return options;
}

// The first argument of a benchmark selects its checkers, and the second its number of threads.
enum class Watch : std::int64_t { kNothing, kRaces, kInitialisation, kAll };

constexpr const char* kWatchNames[] = {"counting alone", "races", "initialisation", "all checkers"};

emulator::Options OptionsOf(const benchmark::State& state) {
  const auto watch = static_cast<Watch>(state.range(0));
  emulator::Options options = Unlimited();
  options.threads = static_cast<unsigned>(state.range(1));
  options.on_parallel = [](bool kept) {
    WARPCHECK_CHECK(kept, "a benchmark's kernel needs one thread");
  };
  if (watch == Watch::kRaces || watch == Watch::kAll) {
    options.checkers.push_back(emulator::CheckerNamed("races"));
  }
  if (watch == Watch::kInitialisation || watch == Watch::kAll) {
    options.checkers.push_back(emulator::CheckerNamed("initialisation"));
  }
  return options;
}

void AllWatches(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"watch", "threads"})
      ->ArgsProduct({{0, 1, 2, 3}, {1, 2}})
      ->MeasureProcessCPUTime()
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

// The first `inputs` buffers are written; the kernel writes the others.
struct Bench {
  Bench(const benchmark::State& state, std::uint64_t floats, std::size_t inputs)
      : device(emulator::MakeEmulator(log, OptionsOf(state))) {
    const auto ptx = ReadFile(WARPCHECK_BENCH_DATA "/kernels.ptx");
    WARPCHECK_CHECK(ptx.has_value(), "bench/data/kernels.ptx cannot be read");
    const auto info = device->LoadModule(*ptx);
    WARPCHECK_CHECK(info.has_value(), "bench/data/kernels.ptx cannot be loaded");
    module = info->id;
    for (DeviceAddress& buffer : buffers) {
      buffer = device->Allocate(floats * sizeof(float)).value();
    }
    for (std::size_t i = 0; i < inputs; ++i) {
      const auto filled = device->Fill(buffers[i], std::byte{1}, floats * sizeof(float));
      WARPCHECK_CHECK(filled == DeviceError::kSuccess, "fill");
    }
  }

  void Run(benchmark::State& state, const LaunchRequest& request) {
    for ([[maybe_unused]] auto _ : state) {  // NOLINT(clang-analyzer-deadcode.DeadStores)
      WARPCHECK_CHECK(device->Launch(request) == DeviceError::kSuccess, "launch");
    }
    state.SetLabel(kWatchNames[state.range(0)]);
    state.counters["warp_instructions"] =
        benchmark::Counter(static_cast<double>(log.warp_instructions), benchmark::Counter::kIsRate);
  }

  CountingLog log;
  std::unique_ptr<Device> device;
  ModuleId module = 0;
  DeviceAddress buffers[3] = {};
};

void TiledProduct(benchmark::State& state) {
  constexpr int kSize = 512;
  Bench bench(state, std::uint64_t{kSize} * kSize, 2);
  LaunchRequest request{.module = bench.module,
                        .kernel = "tiled_product",
                        .grid = {32, 32, 1},
                        .block = {16, 16, 1},
                        .dynamic_shared_bytes = 0,
                        .cooperative = false,
                        .parameters = Parameters()
                                          .Add(bench.buffers[0])
                                          .Add(bench.buffers[1])
                                          .Add(bench.buffers[2])
                                          .Add(kSize)
                                          .bytes()};
  bench.Run(state, request);
}

void PaddedTranspose(benchmark::State& state) {
  constexpr int kSize = 1024;
  Bench bench(state, std::uint64_t{kSize} * kSize, 1);
  LaunchRequest request{
      .module = bench.module,
      .kernel = "padded_transpose",
      .grid = {32, 32, 1},
      .block = {32, 8, 1},
      .dynamic_shared_bytes = 0,
      .cooperative = false,
      .parameters =
          Parameters().Add(bench.buffers[0]).Add(bench.buffers[1]).Add(kSize).Add(kSize).bytes()};
  bench.Run(state, request);
}

// The grid has `kInner` x `kInner` cells, a multiple of 64.
template <int kInner>
void HeatStepOf(benchmark::State& state) {
  constexpr int kWidth = kInner + 8;
  Bench bench(state, std::uint64_t{kWidth} * kWidth, 1);
  LaunchRequest request{.module = bench.module,
                        .kernel = "heat_step",
                        .grid = {kInner / 64, kInner / 8, 1},
                        .block = {64, 8, 1},
                        .dynamic_shared_bytes = 0,
                        .cooperative = false,
                        .parameters = Parameters()
                                          .Add(bench.buffers[0])
                                          .Add(bench.buffers[1])
                                          .Add(kWidth)
                                          .Add(kInner)
                                          .Add(kInner)
                                          .Add(0.1F)
                                          .Add(0.1F)
                                          .bytes()};
  bench.Run(state, request);
}

void HeatStep(benchmark::State& state) { HeatStepOf<512>(state); }
// This launch is four times as long, so that the start of a second thread matters less.
void LargeHeatStep(benchmark::State& state) { HeatStepOf<1024>(state); }

void DivergentReduction(benchmark::State& state) {
  constexpr std::uint64_t kElements = 1 << 20;
  Bench bench(state, kElements, 1);
  LaunchRequest request{
      .module = bench.module,
      .kernel = "divergent_reduction",
      .grid = {kElements / 256, 1, 1},
      .block = {256, 1, 1},
      .dynamic_shared_bytes = 256 * sizeof(float),
      .cooperative = false,
      .parameters = Parameters().Add(bench.buffers[0]).Add(bench.buffers[1]).bytes()};
  bench.Run(state, request);
}

BENCHMARK(TiledProduct)->Apply(AllWatches);
BENCHMARK(PaddedTranspose)->Apply(AllWatches);
BENCHMARK(HeatStep)->Apply(AllWatches);
BENCHMARK(LargeHeatStep)->Apply(AllWatches);
BENCHMARK(DivergentReduction)->Apply(AllWatches);

}  // namespace
}  // namespace warpcheck

BENCHMARK_MAIN();
