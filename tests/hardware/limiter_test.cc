#include "hardware/limiter.h"

#include <gtest/gtest.h>

#include "hardware/generations.h"

namespace warpcheck {
namespace {

// The default GPU has 132 multiprocessors, and its L2 cache moves 160 sectors in a cycle.
constexpr std::uint64_t kMultiprocessors = 132;
constexpr std::uint64_t kSectorsACycle = 160;

// A launch of 1,320 blocks of 256 threads on the default GPU, which has 132 multiprocessors. All
// counters are 0.
LaunchRecord Launch() {
  LaunchRecord record;
  record.kernel = "k";
  record.grid = {1320, 1, 1};
  record.block = {256, 1, 1};
  for (const Counter counter : kAllCounters) record.counters.Set(counter, 0);
  record.needs = LaunchNeeds{.target = 90, .active_blocks = 8};
  return record;
}

double BoundOf(const LaunchRecord& record, Limiter resource, std::uint64_t launches = 1) {
  return BoundsOf(record, launches).value()[resource];
}

TEST(Limiter, DividesWorkByWhatAGpuDoesInACycle) {
  LaunchRecord record = Launch();
  record.counters.Set(Counter::kWarpInstructions, kMultiprocessors * 4 * 1000);
  record.counters.Set(Counter::kSharedWavefronts, kMultiprocessors * 700);
  record.counters.Set(Counter::kGlobalSectors, kMultiprocessors * 4 * 300);
  record.counters.Set(Counter::kGlobalStoreSectors, kSectorsACycle * 50);
  record.counters.Set(Counter::kLocalSectors, kMultiprocessors * 4 * 20);
  record.counters.Set(Counter::kConstantRequests, kMultiprocessors * 10);
  record.counters.Set(Counter::kConstantPasses, kMultiprocessors * 13);
  record.needs->load_sectors = kSectorsACycle * 40;
  record.needs->word_updates = 77;
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kIssue), 1000);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kShared), 700 + 320);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kL1), 320);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kConstant), 33);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kL2), 90);  // a cycle moves 160 sectors
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kAtomics), 77);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kBlocks), 0);
}

// One unit serves shared memory and the L1 cache.
TEST(Limiter, AddsWhatSharedMemoryAndTheL1CacheNeed) {
  LaunchRecord record = Launch();
  record.counters.Set(Counter::kSharedWavefronts, kMultiprocessors * 100);
  record.counters.Set(Counter::kGlobalSectors, kMultiprocessors * 4 * 300);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kShared), 100);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kL1), 400);
  // An access of one sector takes a cycle, too. Textures take another way.
  record.counters.Set(Counter::kGlobalRequests, kMultiprocessors * 500);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kL1), 600);
  record.counters.Set(Counter::kTextureRequests, kMultiprocessors * 450);
  record.counters.Set(Counter::kTextureSectors, kMultiprocessors * 4 * 300);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kL1), 50);
}

// The default GPU has a bus of 6,016 bits, which moves 1,504 bytes in each of its memory's cycles.
TEST(Limiter, TakesTheBandwidthOfMemoryFromTheTableOfGpus) {
  LaunchRecord record = Launch();
  record.needs->load_sectors = std::uint64_t{1504} * 3201;
  record.needs->store_sectors = std::uint64_t{1504} * 3201;
  EXPECT_NEAR(BoundOf(record, Limiter::kMemory), 2 * 32 * 1980.0 * 1000 / 1000, 1e-6);
}

// 8 blocks of 8 warps wait at once. Each wait takes 1,000 cycles if the data comes from memory.
TEST(Limiter, KnowsTheLatencyThatOtherWarpsDoNotHide) {
  LaunchRecord record = Launch();
  record.counters.Set(Counter::kGlobalSectors, 1000);
  record.needs->load_sectors = 1000;
  record.needs->load_waits = kMultiprocessors * 64 * 5;
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kLatency), 5 * 1000);
  // Sectors that are loaded again can come from the L1 cache.
  record.needs->load_sectors = 250;
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kLatency), 5 * (0.25 * 1000 + 0.75 * 20));
  // ptxas knows better than the emulator how many blocks fit.
  record.needs->load_sectors = 1000;
  record.resources = LaunchResources{.active_blocks = 2};
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kLatency), 4 * 5 * 1000);
  // What stores use is not waited for.
  record.counters.Set(Counter::kGlobalStoreSectors, 1000);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kLatency), 0);
}

TEST(Limiter, CountsTheLaunchItself) {
  LaunchRecord record = Launch();
  record.counters.Set(Counter::kWarpInstructions, kMultiprocessors * 4 * 1000);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kLaunch), 3.7 * 1980);
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kLaunch, 3), 3 * 3.7 * 1980);
  EXPECT_EQ(BoundsOf(record, 1)->Likely(), Limiter::kLaunch);
  EXPECT_EQ(BoundsOf(record, 1)->LikelyOfWork(), Limiter::kIssue);
  record.counters.Set(Counter::kWarpInstructions, kMultiprocessors * 4 * 10'000);
  EXPECT_EQ(BoundsOf(record, 1)->Likely(), Limiter::kIssue);
  EXPECT_EQ(BoundsOf(record, 2)->Likely(), Limiter::kLaunch);
}

TEST(Limiter, CountsMultiprocessorsWithoutABlock) {
  LaunchRecord record = Launch();
  record.counters.Set(Counter::kWarpInstructions, kMultiprocessors * 4 * 1000);
  record.grid = {33, 1, 1};
  EXPECT_DOUBLE_EQ(BoundOf(record, Limiter::kBlocks), 4000);
  record.grid = {1, 1, 1};
  EXPECT_EQ(BoundsOf(record, 1)->Likely(), Limiter::kBlocks);
  EXPECT_EQ(BoundsOf(record, 1)->LikelyOfWork(), Limiter::kIssue);
}

TEST(Limiter, UsesNoFigureThatIsNotKnownForTheGpu) {
  for (const int target : GpuTargets()) {
    LaunchRecord record = Launch();
    record.counters.Set(Counter::kGlobalSectors, 1'000'000);
    record.counters.Set(Counter::kConstantPasses, 1'000'000);
    record.needs->target = target;
    record.needs->load_sectors = 1'000'000;
    record.needs->load_waits = 1'000'000;
    EXPECT_EQ(BoundOf(record, Limiter::kL2) > 0, target == 80 || target == 90) << target;
    EXPECT_EQ(BoundOf(record, Limiter::kLatency) > 0, target == 90) << target;
    EXPECT_EQ(BoundOf(record, Limiter::kConstant) > 0, target == 90) << target;
    EXPECT_GT(BoundOf(record, Limiter::kL1), 0) << target;
    EXPECT_GT(BoundOf(record, Limiter::kMemory), 0) << target;
  }
}

TEST(Limiter, SaysNothingAboutALaunchThatItDoesNotKnow) {
  LaunchRecord record = Launch();
  record.needs.reset();  // as from a GPU
  EXPECT_EQ(BoundsOf(record, 1), std::nullopt);
  record = Launch();
  record.needs->target = 10;
  EXPECT_EQ(BoundsOf(record, 1), std::nullopt);
  record = Launch();
  record.error = DeviceError::kInvalidValue;
  EXPECT_EQ(BoundsOf(record, 1), std::nullopt);
  record = Launch();
  record.counters = {};
  EXPECT_EQ(BoundsOf(record, 1), std::nullopt);
  // A kernel that does nothing has no limiter.
  record = Launch();
  EXPECT_EQ(TextOf(*BoundsOf(record, 1), record.counters).limiter, "");
}

TEST(Limiter, AddsTheBoundsOfLaunches) {
  LimiterBounds sum;
  LimiterBounds one;
  one.Set(Limiter::kShared, 30);
  one.Set(Limiter::kL1, 20);
  LimiterBounds other;
  other.Set(Limiter::kL1, 25);
  sum += one;
  sum += other;
  const std::vector<LimiterBound> expected = {{Limiter::kL1, 45}, {Limiter::kShared, 30}};
  EXPECT_EQ(sum.Ranked(), expected);
}

TEST(LimiterText, NamesTheLimiterTheNextOneAndWhatToDo) {
  LaunchRecord record = Launch();
  record.counters.Set(Counter::kSharedWavefronts, kMultiprocessors * 20'000);
  record.counters.Set(Counter::kSharedWavefrontsIdeal, kMultiprocessors * 1'250);
  record.counters.Set(Counter::kWarpInstructions, kMultiprocessors * 4 * 10'000);
  const LimiterText text = TextOf(*BoundsOf(record, 1), record.counters);
  EXPECT_EQ(text.limiter,
            "Likely limiter (by arithmetic, not measured): shared memory; next: the number of "
            "instructions, 50 % of it.");
  EXPECT_EQ(text.advice,
            "To do next: bank conflicts cause 16.0 times as many wavefronts as needed; change the "
            "spacing of rows or the order of lanes.");
}

TEST(LimiterText, SaysWhatALargerLaunchWouldBeLimitedBy) {
  LaunchRecord record = Launch();
  record.counters.Set(Counter::kWarpInstructions, kMultiprocessors * 4 * 100);
  record.counters.Set(Counter::kThreadInstructions, kMultiprocessors * 4 * 100 * 8);
  EXPECT_EQ(TextOf(*BoundsOf(record, 1), record.counters).limiter,
            "Likely limiter (by arithmetic, not measured): the start of the launch, because it has "
            "little work; with more work: the number of instructions.");
  EXPECT_EQ(TextOf(*BoundsOf(record, 1), record.counters).advice,
            "To do next: 8.0 of 32 lanes are active in an average instruction; let all lanes of a "
            "warp take the same branches.");
  record.counters.Set(Counter::kWarpInstructions,
                      kMultiprocessors * 4 * 70);  // 1 % of the start are 73 cycles
  EXPECT_EQ(TextOf(*BoundsOf(record, 1), record.counters).limiter,
            "Likely limiter (by arithmetic, not measured): the start of the launch, because it has "
            "hardly any work.");
  EXPECT_EQ(TextOf(*BoundsOf(record, 1), record.counters).advice, "");
  record.counters.Set(Counter::kWarpInstructions, kMultiprocessors * 4 * 1000);
  record.grid = {1, 1, 1};
  EXPECT_EQ(TextOf(*BoundsOf(record, 1), record.counters).limiter,
            "Likely limiter (by arithmetic, not measured): too few blocks, because some "
            "multiprocessors have none; with more blocks: the number of instructions.");
}

// The advice depends on what the counters say about the resource.
TEST(LimiterText, AdvisesByTheCounters) {
  const auto advice = [](Limiter resource, const CounterSet& counters) {
    LimiterBounds bounds;
    bounds.Set(resource, 1);
    return TextOf(bounds, counters).advice;
  };
  CounterSet counters = Launch().counters;
  counters.Set(Counter::kGlobalSectors, 800);
  counters.Set(Counter::kGlobalSectorsIdeal, 100);
  for (const Limiter resource : {Limiter::kMemory, Limiter::kL2, Limiter::kL1}) {
    EXPECT_NE(advice(resource, counters).find("8.0 times as many sectors"), std::string::npos);
  }
  counters.Set(Counter::kLocalSectors, 900);
  EXPECT_NE(advice(Limiter::kL1, counters).find("local memory"), std::string::npos);
  counters.Set(Counter::kLocalSectors, 0);
  counters.Set(Counter::kGlobalSectorsIdeal, 800);
  EXPECT_NE(advice(Limiter::kMemory, counters).find("fewer bytes"), std::string::npos);
  EXPECT_NE(advice(Limiter::kL2, counters).find("store less often"), std::string::npos);
  EXPECT_NE(advice(Limiter::kL1, counters).find("load each value once"), std::string::npos);
  EXPECT_NE(advice(Limiter::kShared, counters).find("less often"), std::string::npos);
  EXPECT_NE(advice(Limiter::kConstant, counters).find("same element"), std::string::npos);
  EXPECT_NE(advice(Limiter::kAtomics, counters).find("one atomic for a block"), std::string::npos);
  EXPECT_NE(advice(Limiter::kLatency, counters).find("more warps"), std::string::npos);
  counters.Set(Counter::kWarpInstructions, 10);
  counters.Set(Counter::kThreadInstructions, 320);
  EXPECT_NE(advice(Limiter::kIssue, counters).find("fewer instructions"), std::string::npos);
}

TEST(Limiter, HasANameForEachResource) {
  for (std::size_t i = 0; i < kLimiters; ++i) {
    EXPECT_FALSE(LimiterName(static_cast<Limiter>(i)).empty()) << i;
  }
}

}  // namespace
}  // namespace warpcheck
