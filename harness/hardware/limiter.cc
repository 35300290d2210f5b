#include "hardware/limiter.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/lanes.h"
#include "hardware/generations.h"
#include "hardware/geometry.h"

namespace warpcheck {
namespace {

// These constants say what a multiprocessor does in a cycle, for compute capabilities 7.0 to 9.0.
//
// It has four schedulers, and each issues one warp instruction: CUDA C++ Programming Guide 13.0,
// "Compute Capability 7.x" to "9.0".
constexpr double kInstructionsACycle = 4;
// Each of the 32 banks of shared memory moves 32 bits: the same sections, "Shared Memory". This is
// one wavefront. The L1 cache is the same memory, and moves 128 bytes as well. Its tag stage finds
// no more than 4 lines: NVIDIA's developer forum, "Understanding L1/TEX Cache Sectors/Req", for
// GV100 and later. So lanes that use a sector of a line each are as slow as lanes that use all of
// it. One load/store unit serves both, and takes one instruction: the same forum, "How does the LSU
// execute load/store instructions in the Ampere architecture".
constexpr double kL1SectorsACycle = 4;

// The L2 cache of A100 and H100 moves 5,120 bytes in a cycle: doi:10.1016/j.ultsonch.2023.106546,
// table 3, has 7,219 GB/s at 1.41 GHz and 8,986 GB/s at 1.755 GHz.
constexpr double kL2BytesACycle = 5120;
constexpr bool KnowsL2(int target) { return target == 80 || target == 90; }

// The latency of global memory, in cycles of an H100. In the lab `latency`, 8 warps of a
// multiprocessor that load one, two and four words each move 434, 760 and 1,260 GB/s
// (labs/latency/h100/table.csv): a warp lives for 623, 711 and 858 ns, of which 535 ns do not
// depend on the number of loads. These are 1,060 cycles, with the start and the end of the warp.
constexpr double kMemoryLatency = 1000;
// The latency of shared memory: 20 for Volta, Ampere and Hopper,
// doi:10.1016/j.ultsonch.2023.106546, table 3. Data in the L1 cache is not nearer than shared
// memory.
constexpr double kL1Latency = 20;
constexpr bool KnowsLatency(int target) { return target == 90; }

// Loads of n addresses of constant memory took 23 + 11 n cycles on an H100 (docs/counters.md).
constexpr double kConstantCycles = 11;
constexpr bool KnowsConstant(int target) { return target == 90; }

double Count(const CounterSet& counters, Counter counter) {
  return static_cast<double>(counters.OrZero(counter));
}

// Returns how often the loads of a warp are waited for in turn: Little's law. A warp waits for all
// the loads that go out together, and so many warps wait at once as a multiprocessor has room for.
double LatencyOf(const LaunchRecord& record, const LaunchNeeds& needs, const GpuGeneration& gpu) {
  const std::uint32_t blocks =
      record.resources ? record.resources->active_blocks : needs.active_blocks;
  const std::uint64_t warps = (record.block.Count() + kLanes - 1) / kLanes;
  const double loaded = Count(record.counters, Counter::kGlobalSectors) -
                        Count(record.counters, Counter::kGlobalStoreSectors);
  if (blocks == 0 || loaded <= 0) return 0;
  // A sector comes from memory once, and at best from the L1 cache when it is loaded again. A wait
  // for several loads is as long as the longest of them.
  const double far = std::min(1.0, static_cast<double>(needs.load_sectors) / loaded);
  const double loads = Count(record.counters, Counter::kGlobalLoadRequests) /
                       static_cast<double>(std::max<std::uint64_t>(needs.load_waits, 1));
  const double far_waits = std::min(1.0, far * std::max(loads, 1.0));
  const double latency = far_waits * kMemoryLatency + (1 - far_waits) * kL1Latency;
  return static_cast<double>(needs.load_waits) * latency /
         (gpu.properties.multiprocessors * static_cast<double>(blocks * warps));
}

}  // namespace

LimiterBounds& LimiterBounds::operator+=(const LimiterBounds& more) {
  for (std::size_t i = 0; i < kLimiters; ++i) cycles_[i] += more.cycles_[i];
  return *this;
}

std::vector<LimiterBound> LimiterBounds::Ranked() const {
  std::vector<LimiterBound> ranked;
  for (std::size_t i = 0; i < kLimiters; ++i) {
    if (cycles_[i] > 0) ranked.push_back({static_cast<Limiter>(i), cycles_[i]});
  }
  std::ranges::stable_sort(ranked, std::ranges::greater(), &LimiterBound::cycles);
  return ranked;
}

Limiter LimiterBounds::Likely() const {
  const std::vector<LimiterBound> ranked = Ranked();
  return ranked.empty() ? Limiter::kLaunch : ranked.front().resource;
}

std::optional<Limiter> LimiterBounds::LikelyOfWork() const {
  for (const LimiterBound& bound : Ranked()) {
    if (!IsOneOf(bound.resource, Limiter::kBlocks, Limiter::kLaunch)) return bound.resource;
  }
  return std::nullopt;
}

std::optional<LimiterBounds> BoundsOf(const LaunchRecord& record, std::uint64_t launches) {
  if (!record.needs || record.error != DeviceError::kSuccess || launches == 0) return std::nullopt;
  const LaunchNeeds& needs = *record.needs;
  const GpuGeneration* const gpu = GpuFor(needs.target);
  const CounterSet& counters = record.counters;
  if (gpu == nullptr || !counters[Counter::kWarpInstructions]) return std::nullopt;
  const DeviceProperties& properties = gpu->properties;
  const double multiprocessors = properties.multiprocessors;

  LimiterBounds bounds;
  bounds.Set(Limiter::kIssue,
             Count(counters, Counter::kWarpInstructions) / multiprocessors / kInstructionsACycle);
  // Textures have another way through the cache, whose throughput is not known.
  const double sectors_of_l1 = Count(counters, Counter::kGlobalSectors) -
                               Count(counters, Counter::kTextureSectors) +
                               Count(counters, Counter::kLocalSectors);
  const double requests =
      Count(counters, Counter::kGlobalRequests) - Count(counters, Counter::kTextureRequests);
  const double l1 = std::max(sectors_of_l1 / kL1SectorsACycle, requests) / multiprocessors;
  const double shared = Count(counters, Counter::kSharedWavefronts) / multiprocessors;
  // What both need together is called by the one that needs more.
  bounds.Set(Limiter::kShared, shared >= l1 ? shared + l1 : shared);
  bounds.Set(Limiter::kL1, shared >= l1 ? l1 : shared + l1);
  if (KnowsConstant(needs.target)) {
    // One address for all lanes costs nothing beyond the instruction.
    const double more =
        Count(counters, Counter::kConstantPasses) - Count(counters, Counter::kConstantRequests);
    bounds.Set(Limiter::kConstant, std::max(more, 0.0) * kConstantCycles / multiprocessors);
  }
  if (KnowsLatency(needs.target)) {
    bounds.Set(Limiter::kLatency, LatencyOf(record, needs, *gpu));
  }
  // The multiprocessors that have a block do all of this.
  double busy = 0;
  for (const LimiterBound& bound : bounds.Ranked()) busy = std::max(busy, bound.cycles);
  const double blocks = static_cast<double>(record.grid.Count());
  if (blocks < multiprocessors) bounds.Set(Limiter::kBlocks, busy * multiprocessors / blocks);

  if (KnowsL2(needs.target)) {
    // The L1 caches write each store through, and atomics are executed in the L2 cache.
    const double sectors =
        static_cast<double>(needs.load_sectors) + Count(counters, Counter::kGlobalStoreSectors);
    bounds.Set(Limiter::kL2, sectors * kSectorBytes / kL2BytesACycle);
  }
  // Memory moves two words in each of its cycles.
  const double clock = properties.clock_khz;
  const double bytes_a_cycle =
      properties.memory_bus_bits / 8.0 * 2 * properties.memory_clock_khz / clock;
  const auto sectors = static_cast<double>(needs.load_sectors + needs.store_sectors);
  bounds.Set(Limiter::kMemory, sectors * kSectorBytes / bytes_a_cycle);
  // A word is updated once a cycle at best. An H100 needs 1.45 cycles: 1.37 updates a nanosecond at
  // 1.98 GHz (labs/atomics/h100/table.csv, one bin).
  bounds.Set(Limiter::kAtomics, static_cast<double>(needs.word_updates));
  bounds.Set(Limiter::kLaunch, static_cast<double>(launches) * kLaunchMicroseconds * clock / 1000);
  return bounds;
}

LimiterText TextOf(const LimiterBounds& bounds, const CounterSet& counters) {
  // Shares of the highest bound: above the first the next resource is named, and below the second a
  // launch tells nothing of a larger one.
  constexpr double kWorthNaming = 0.1;
  constexpr double kSomeWork = 0.01;
  const auto work = bounds.LikelyOfWork();
  if (!work) return {};
  const Limiter likely = bounds.Likely();
  LimiterText text;
  text.limiter =
      fmt::format("Likely limiter (by arithmetic, not measured): {}", LimiterName(likely));
  text.advice = fmt::format("To do next: {}.", AdviceFor(*work, counters));
  text.counted = IsCounted(*work, counters);
  if (likely == Limiter::kLaunch && bounds[*work] < kSomeWork * bounds[likely]) {
    return {.limiter = text.limiter + ", because it has hardly any work.", .advice = ""};
  }
  if (likely == Limiter::kLaunch) {
    text.limiter +=
        fmt::format(", because it has little work; with more work: {}.", LimiterName(*work));
    return text;
  }
  if (likely == Limiter::kBlocks) {
    text.limiter += fmt::format(", because some multiprocessors have none; with more blocks: {}.",
                                LimiterName(*work));
    return text;
  }
  std::vector<LimiterBound> others = bounds.Ranked();
  std::erase_if(others, [&](const LimiterBound& bound) {
    return bound.resource == likely || bound.resource == Limiter::kLaunch;
  });
  if (!others.empty() && others.front().cycles >= kWorthNaming * bounds[likely]) {
    text.limiter += fmt::format("; next: {}, {:.0f} % of it", LimiterName(others.front().resource),
                                100 * others.front().cycles / bounds[likely]);
  }
  text.limiter += '.';
  return text;
}

}  // namespace warpcheck
