#include "checks/counter_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;

constexpr const char* kCoalescingHint =
    "neighbouring threads (threadIdx.x) should touch neighbouring addresses: let threadIdx.x count "
    "along the array's fastest dimension; where loads and stores want different orders, exchange "
    "the data through a tile in shared memory";
constexpr const char* kBankHint =
    "word i of shared memory lies in bank i % 32, and one pass serves one word of each bank: pad "
    "the rows of the tile, so that the words of a column lie in different banks";

SourceLocation At(int line) { return {"transpose.cu", line, 0}; }

TEST(Coalescing, NamesTheWorstLine) {
  LaunchRecord launch = LaunchOf("naive(float const*, float*, int, int)");
  AddLine(launch, 22, {.sectors = 1'048'576, .sectors_ideal = 1'048'576, .loads = 262'144});
  AddLine(launch, 23, {.sectors = 8'388'608, .sectors_ideal = 1'048'576, .stores = 262'144});
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, Coalescing(Ge(0.99))),
              ElementsAre(ChargeOf(
                  Verdict::kFailed,
                  "global store: 8,388,608 sectors touched, 1,048,576 would do (coalescing 0.125; "
                  "32.0 sectors a request, 4.0 is perfect here)\n"
                  "  the target: coalescing that is >= 0.99",
                  kCoalescingHint, At(23))));
}

TEST(Coalescing, IsSilentWhereItIsPerfect) {
  LaunchRecord launch = LaunchOf("tiled");
  AddLine(launch, 5, {.sectors = 400, .sectors_ideal = 400, .loads = 100});
  AddLine(launch, 6, {.wavefronts = 100, .wavefronts_ideal = 100, .shared_stores = 100});
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, Coalescing(Ge(0.99))), IsEmpty());
}

// A line, or a kernel, with perfect counters does not make up for another.
TEST(Coalescing, IsNotDilutedByOtherAccesses) {
  LaunchRecord launch = LaunchOf("mixed");
  AddLine(launch, 5, {.sectors = 4'000'000, .sectors_ideal = 4'000'000, .loads = 1'000'000});
  AddLine(launch, 9, {.sectors = 32, .sectors_ideal = 4, .stores = 1});
  LaunchRecord decoy = LaunchOf("decoy");
  AddLine(decoy, 14, {.sectors = 4'000'000, .sectors_ideal = 4'000'000, .loads = 1'000'000});
  Trial trial = ReturnedTrial();
  trial.launches = {decoy, launch};
  const auto charges = ChargesOf(trial, Coalescing(Ge(0.99)));
  ASSERT_EQ(charges.size(), 1u);
  EXPECT_EQ(charges[0].complaint.where, At(9));
}

TEST(Coalescing, NamesTheKernelWhereLinesAreUnknown) {
  LaunchRecord launch = LaunchOf("naive");
  launch.totals = CountersOf({.sectors = 36, .sectors_ideal = 8, .loads = 1, .stores = 1});
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, Coalescing(Ge(0.99))),
              ElementsAre(ChargeOf(
                  Verdict::kFailed,
                  "naive: global load and store: 36 sectors touched, 8 would do (coalescing 0.222; "
                  "18.0 sectors a request, 4.0 is perfect here)\n"
                  "  the target: coalescing that is >= 0.99",
                  kCoalescingHint)));
}

TEST(Coalescing, IsNoPassWhereNothingRan) {
  EXPECT_THAT(ChargesOf(ReturnedTrial(), Coalescing(Ge(0.99))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "transpose() ran no kernel: there is nothing to measure")));
  Trial idle = ReturnedTrial();
  LaunchRecord launch = LaunchOf("idle");
  launch.totals = CountersOf({});
  idle.launches = {launch};
  EXPECT_THAT(ChargesOf(idle, Coalescing(Ge(0.99))),
              ElementsAre(ChargeOf(Verdict::kFailed, "no kernel accessed global memory")));
  idle.launches[0].error = DeviceError::kInvalidConfiguration;
  EXPECT_THAT(ChargesOf(idle, Coalescing(Ge(0.99))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "transpose() ran no kernel: there is nothing to measure")));
}

TEST(Coalescing, SaysWhereItWasNotMeasured) {
  Trial trial = ReturnedTrial();
  trial.launches = {LaunchOf("tiled")};
  EXPECT_THAT(ChargesOf(trial, Coalescing(Ge(0.99))),
              ElementsAre(ChargeOf(
                  Verdict::kNotMeasured, "coalescing of tiled was not measured on this device",
                  "`warpcheck doctor` says what measuring needs here; the emulator measures it")));
}

TEST(Coalescing, SaysWhyItWasNotMeasured) {
  Trial trial = ReturnedTrial();
  LaunchRecord launch = LaunchOf("tiled");
  launch.totals = CountersOf({.sectors = 64, .loads = 8});
  launch.not_measured = "counters are not allowed";
  trial.launches = {launch};
  // Its totals are perfect, but what the lines do is not known.
  EXPECT_THAT(ChargesOf(trial, SectorsPerRequest(Le(8))),
              ElementsAre(ChargeOf(
                  Verdict::kNotMeasured,
                  "sectors a request of tiled was not measured: counters are not allowed",
                  "`warpcheck doctor` says what measuring needs here; the emulator measures it")));
}

// Lines that cannot do better, as those that load the columns of a halo, are made up for by others
// of the same launch, but not by another launch.
TEST(Coalescing, DoesNotTrustWhatNoCounterSees) {
  LaunchRecord launch = LaunchOf("fetches");
  AddLine(launch, 5, {.sectors = 400, .sectors_ideal = 400, .stores = 100});
  launch.unseen = "a texture object";
  Trial trial = ReturnedTrial();
  trial.launches = {LaunchOf("other"), launch};
  EXPECT_THAT(
      ChargesOf(trial, Coalescing(Ge(0.99))),
      ElementsAre(ChargeOf(Verdict::kFailed,
                           "fetches goes to global memory by a texture object, which no counter "
                           "sees",
                           "load and store by pointers: how that is done is what is graded here")));
}

TEST(CoalescingOfLaunches, JudgesLaunchesAsAWhole) {
  LaunchRecord launch = LaunchOf("halo");
  AddLine(launch, 5, {.sectors = 400, .sectors_ideal = 400, .loads = 100});
  AddLine(launch, 9, {.sectors = 32, .sectors_ideal = 4, .loads = 1});
  LaunchRecord columns = LaunchOf("columns");
  AddLine(columns, 14, {.sectors = 3'200, .sectors_ideal = 400, .loads = 100});
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, CoalescingOfLaunches(Ge(0.5))), IsEmpty());
  trial.launches = {launch, columns};
  EXPECT_THAT(
      ChargesOf(trial, CoalescingOfLaunches(Ge(0.5))),
      ElementsAre(ChargeOf(Verdict::kFailed,
                           "global load: 3,200 sectors touched, 400 would do (coalescing 0.125; "
                           "32.0 sectors a request, 4.0 is perfect here)\n"
                           "  the target: coalescing of a launch that is >= 0.5",
                           kCoalescingHint, At(14))));
}

Trial TrialOfLoads(std::uint64_t bytes, std::uint64_t loads, std::uint64_t atomics) {
  CounterSet counters;
  counters.Set(Counter::kGlobalAtomicRequests, atomics);
  counters.Set(Counter::kGlobalAtomicSectors, 4 * atomics);
  counters.Set(Counter::kGlobalAtomicBytes, 128 * atomics);
  counters.Set(Counter::kGlobalLoadBytes, bytes);
  counters.Set(Counter::kGlobalLoadRequests, loads);
  counters.Set(Counter::kGlobalStoreRequests, 3);
  counters.Set(Counter::kGlobalRequests, loads + 3 + atomics);
  LaunchRecord launch = LaunchOf("stencil");
  launch.totals = counters;
  launch.lines = {{At(7), counters}};
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  return trial;
}

constexpr const char* kLoadHint =
    "what several threads need, one of them should load: keep it in shared memory, or in "
    "registers, for all; the larger a block's tile, the smaller the share of its halo";

TEST(GlobalLoadBytes, SumsAllLaunches) {
  Trial trial = TrialOfLoads(1'280, 10, 0);
  EXPECT_THAT(ChargesOf(trial, GlobalLoadBytes(Le(2'000))), IsEmpty());
  trial.launches.push_back(trial.launches[0]);
  EXPECT_THAT(ChargesOf(trial, GlobalLoadBytes(Le(2'000))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "global load: 2,560 bytes in 20 requests\n"
                                   "  the target: bytes loaded from global memory that is <= 2000",
                                   kLoadHint, At(7))));
}

TEST(GlobalLoadBytes, CountsWhatAtomicsGive) {
  EXPECT_THAT(ChargesOf(TrialOfLoads(0, 0, 10), GlobalLoadBytes(Le(1'280))), IsEmpty());
  EXPECT_THAT(ChargesOf(TrialOfLoads(0, 0, 10), GlobalLoadBytes(Le(1'279))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "global load and atomic: 1,280 bytes in 10 requests\n"
                                   "  the target: bytes loaded from global memory that is <= 1279",
                                   kLoadHint, At(7))));
}

TEST(GlobalStoreSectors, CountsWhatIsNoLoad) {
  CounterSet counters;
  counters.Set(Counter::kGlobalSectors, 100);
  counters.Set(Counter::kGlobalLoadSectors, 60);
  counters.Set(Counter::kGlobalRequests, 25);
  counters.Set(Counter::kGlobalLoadRequests, 15);
  LaunchRecord launch = LaunchOf("stencil");
  launch.totals = counters;
  launch.lines = {{At(7), counters}};
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, GlobalStoreSectors(Le(40))), IsEmpty());
  EXPECT_THAT(ChargesOf(trial, GlobalStoreSectors(Le(39))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "global store: 40 sectors in 10 requests\n"
                                   "  the target: sectors stored to global memory that is <= 39",
                                   "each result should be computed and stored by one thread, once",
                                   At(7))));
}

TEST(SectorsPerRequest, HasTheOtherFormOfTheSame) {
  LaunchRecord launch = LaunchOf("naive");
  AddLine(launch, 9, {.sectors = 640, .sectors_ideal = 80, .loads = 20});
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, SectorsPerRequest(Le(4.0))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "global load: 640 sectors touched, 80 would do (coalescing "
                                   "0.125; 32.0 sectors a request, 4.0 is perfect here)\n"
                                   "  the target: sectors a request that is <= 4",
                                   kCoalescingHint, At(9))));
  EXPECT_THAT(ChargesOf(trial, SectorsPerRequest(Le(32.0))), IsEmpty());
}

TEST(ExcessiveWavefronts, GivesTheWaysOfTheConflict) {
  LaunchRecord launch = LaunchOf("unpadded");
  AddLine(launch, 12, {.wavefronts = 32'768, .wavefronts_ideal = 32'768, .shared_stores = 32'768});
  AddLine(launch, 17,
          {.wavefronts = 1'048'576, .wavefronts_ideal = 32'768, .shared_loads = 32'768});
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, ExcessiveWavefronts(Eq(0))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "32-way bank conflict in a shared load: 1,048,576 wavefronts, "
                                   "32,768 would do\n"
                                   "  the target: excessive wavefronts that is equal to 0",
                                   kBankHint, At(17))));
}

TEST(ExcessiveWavefronts, IsSilentWithoutConflictsAndWithoutSharedMemory) {
  LaunchRecord launch = LaunchOf("padded");
  AddLine(launch, 12, {.wavefronts = 8, .wavefronts_ideal = 8, .shared_stores = 8});
  LaunchRecord naive = LaunchOf("naive");
  AddLine(naive, 3, {.sectors = 4, .sectors_ideal = 4, .loads = 1});
  Trial trial = ReturnedTrial();
  trial.launches = {launch, naive};
  EXPECT_THAT(ChargesOf(trial, ExcessiveWavefronts(Eq(0))), IsEmpty());
}

TEST(GlobalLoadSectors, CountsTheLoadsOfAllLaunchesAlone) {
  LaunchRecord launch = LaunchOf("naive");
  AddLine(launch, 11, {.sectors = 700, .sectors_ideal = 700, .load_sectors = 600, .loads = 300});
  AddLine(launch, 13, {.sectors = 80, .sectors_ideal = 80, .stores = 20});
  Trial trial = ReturnedTrial();
  trial.launches = {launch, launch};
  EXPECT_THAT(ChargesOf(trial, GlobalLoadSectors(Le(1200))), IsEmpty());
  EXPECT_THAT(ChargesOf(trial, GlobalLoadSectors(Le(1199))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "global load: 1,200 sectors in 600 requests\n"
                                   "  the target: global load sectors that is <= 1199",
                                   "load what several threads of a block need once, into shared "
                                   "memory, and let them read it there",
                                   At(11))));
}

CounterSet LanesOf(std::uint64_t global_requests, std::uint64_t global_lanes,
                   std::uint64_t shared_requests, std::uint64_t shared_lanes) {
  CounterSet counters;
  counters.Set(Counter::kGlobalRequests, global_requests);
  counters.Set(Counter::kGlobalLanes, global_lanes);
  counters.Set(Counter::kSharedRequests, shared_requests);
  counters.Set(Counter::kSharedLanes, shared_lanes);
  return counters;
}

// A launch of these lines, numbered from 1.
LaunchRecord LaunchOfLanes(const std::vector<CounterSet>& lines) {
  LaunchRecord launch = LaunchOf("sum");
  launch.totals = lines.front();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) launch.totals += lines[i];
    launch.lines.push_back({At(static_cast<int>(i) + 1), lines[i]});
  }
  return launch;
}

TEST(ActiveLanes, NamesTheLineWithTheMostIdleLanes) {
  Trial trial = ReturnedTrial();
  trial.launches = {LaunchOfLanes({LanesOf(8, 256, 8, 256), LanesOf(0, 0, 141, 765)})};
  const auto charges = ChargesOf(trial, ActiveLanes(Ge(0.8)));
  ASSERT_THAT(charges, testing::SizeIs(1));
  EXPECT_EQ(charges[0].complaint.message,
            "5.426 of 32 lanes active in an access of memory: 141 accesses of warps\n"
            "  the target: active lanes that is >= 0.8");
  EXPECT_EQ(charges[0].complaint.where, At(2));
}

// Few accesses of single lanes are made up for by many of full warps, also in another launch.
TEST(ActiveLanes, AreThoseOfTheWholeCall) {
  Trial trial = ReturnedTrial();
  const LaunchRecord last = LaunchOfLanes({LanesOf(4, 4, 2, 2)});
  trial.launches = {LaunchOfLanes({LanesOf(94, 3008, 0, 0)}), last};
  EXPECT_THAT(ChargesOf(trial, ActiveLanes(Ge(0.94))), IsEmpty());
  EXPECT_THAT(ChargesOf(trial, ActiveLanes(Ge(0.95))), testing::SizeIs(1));
  trial.launches = {last};
  EXPECT_THAT(ChargesOf(trial, ActiveLanes(Ge(0.8))), testing::SizeIs(1));
}

TEST(ActiveLanes, AreNoPassWhereNothingWasAccessedOrMeasured) {
  Trial trial = ReturnedTrial();
  trial.launches = {LaunchOfLanes({LanesOf(0, 0, 0, 0)})};
  EXPECT_THAT(ChargesOf(trial, ActiveLanes(Ge(0.8))), testing::SizeIs(1));
  trial.launches = {LaunchOf("sum")};
  const auto charges = ChargesOf(trial, ActiveLanes(Ge(0.8)));
  ASSERT_THAT(charges, testing::SizeIs(1));
  EXPECT_EQ(charges[0].verdict, Verdict::kNotMeasured);
}

TEST(GlobalLoadSectors, CountsWhatAtomicsReadAndNotWhatOthersAdd) {
  LaunchRecord launch = LaunchOf("naive");
  AddLine(launch, 11, {.sectors = 40, .sectors_ideal = 40, .atomics = 10, .atomic_sectors = 40});
  AddLine(launch, 12, {.sectors = 90, .sectors_ideal = 90, .reductions = 20});
  Trial trial = ReturnedTrial();
  trial.launches = {launch};
  EXPECT_THAT(ChargesOf(trial, GlobalLoadSectors(Le(40))), IsEmpty());
  const auto charges = ChargesOf(trial, GlobalLoadSectors(Le(39)));
  ASSERT_THAT(charges, testing::SizeIs(1));
  EXPECT_EQ(charges[0].complaint.message,
            "global load and atomic: 40 sectors in 10 requests\n"
            "  the target: global load sectors that is <= 39");
}

TEST(CounterThat, SumsAllLaunches) {
  LaunchRecord launch = LaunchOf("step");
  AddLine(launch, 8, {.loads = 600});
  Trial trial = ReturnedTrial();
  trial.launches = {launch, launch};
  EXPECT_THAT(ChargesOf(trial, CounterThat(Counter::kGlobalLoadRequests, Le(1200))), IsEmpty());
  EXPECT_THAT(ChargesOf(trial, CounterThat(Counter::kGlobalLoadRequests, Le(1000))),
              ElementsAre(ChargeOf(Verdict::kFailed,
                                   "global_load_requests = 1,200 (warp instructions that load from "
                                   "global memory)\n"
                                   "  the target: global_load_requests that is <= 1000",
                                   "", At(8))));
}

TEST(CounterMatcher, StartsWithHowTheCallEnded) {
  EXPECT_THAT(
      ChargesOf(EndedTrial(remote::CallEnd::kException, "std::bad_alloc"), Coalescing(Ge(0.99))),
      ElementsAre(ChargeOf(Verdict::kError, "an exception left transpose(): std::bad_alloc")));
}

}  // namespace
}  // namespace warpcheck
