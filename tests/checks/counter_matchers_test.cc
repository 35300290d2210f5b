#include "checks/counter_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kCoalescingHint =
    "neighbouring threads (threadIdx.x) should touch neighbouring addresses: let threadIdx.x count "
    "along the array's fastest dimension. If loads and stores need different orders, exchange the "
    "data through a tile in shared memory";
constexpr const char* kLanesHint =
    "give work to all 32 lanes of a warp, because idle lanes wait for the others. Use blocks of a "
    "multiple of 32 threads, and let each thread process several elements. Where fewer threads are "
    "needed, keep neighbouring ones (the first half, not every second thread)";
constexpr const char* kReuseHint =
    "if several threads of a block need a value, load it once into shared memory or registers, and "
    "let them read it there. Store each result once";
constexpr const char* kDoctorHint =
    "`warpcheck doctor` says what this machine needs for it. The emulator measures it";

SourceLocation At(int line) { return {"transpose.cu", line, 0}; }

// Returns the counters of full warps that load neighbouring floats.
constexpr Counted32 PerfectLoads(std::uint64_t requests) {
  return {.sectors = 4 * requests,
          .sectors_ideal = 4 * requests,
          .load_sectors = 4 * requests,
          .bytes = 128 * requests,
          .lanes = 32 * requests,
          .loads = requests};
}

// Returns the counters of full warps whose lanes store floats to different sectors.
constexpr Counted32 ColumnStores(std::uint64_t requests) {
  return {.sectors = 32 * requests,
          .sectors_ideal = 4 * requests,
          .store_sectors = 32 * requests,
          .bytes = 128 * requests,
          .lanes = 32 * requests,
          .stores = requests};
}

// Returns the counters of warps with one active lane.
constexpr Counted32 LoadsOfOneLane(std::uint64_t requests) {
  return {.sectors = requests,
          .sectors_ideal = requests,
          .load_sectors = requests,
          .bytes = 4 * requests,
          .lanes = requests,
          .loads = requests};
}

struct Line {
  int number = 0;
  Counted32 counts;
};

Trial TrialOf(const std::vector<std::vector<Line>>& launches) {
  Trial trial = ReturnedTrial();
  for (const auto& lines : launches) {
    LaunchRecord& launch = trial.launches.emplace_back(LaunchOf("kernel"));
    launch.counters = CountersOf({});
    for (const Line& line : lines) AddLine(launch, line.number, line.counts);
  }
  return trial;
}

// Returns the access that a measure shows for a line with these examples.
std::optional<AccessExample> ShownBy(const CounterMatcher& matcher,
                                     const std::vector<AccessExample>& examples) {
  Trial trial = TrialOf({{{23, ColumnStores(8'192)}}});
  trial.launches.front().lines.front().examples = examples;
  const std::vector<CaseFailure> failures = WholeFailuresOf(trial, matcher);
  EXPECT_EQ(failures.size(), 1U);
  return failures.empty() ? std::nullopt : failures.front().complaint.access;
}

TEST(GlobalTrafficWithin, ShowsTheAccessThatCostsMost) {
  AccessExample load{.memory = AccessExample::Memory::kGlobal, .mask = ~0U, .bytes = 4};
  load.cost = 9;
  load.ideal = 4;
  AccessExample store = load;
  store.kind = AccessExample::Kind::kStore;
  AccessExample shared = load;
  shared.memory = AccessExample::Memory::kShared;
  AccessExample perfect = load;
  perfect.cost = 4;
  EXPECT_EQ(ShownBy(GlobalTrafficWithin(1.01, 32'768), {shared, load, store}), load);
  EXPECT_EQ(ShownBy(GlobalStoresWithin(1.01, 32'768), {load, store}), store);
  EXPECT_EQ(ShownBy(GlobalTrafficWithin(1.01, 32'768), {perfect, shared}), std::nullopt);
}

TEST(GlobalTrafficWithin, NamesTheLineThatWastes) {
  const Trial trial = TrialOf({{{22, PerfectLoads(8'192)}, {23, ColumnStores(8'192)}}});
  EXPECT_THAT(
      FailuresOf(trial, GlobalTrafficWithin(1.01, {65'536, "to load each cell once"})),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "global store: 262,144 sectors moved for 32,768 sectors of data: 8 for each needed (32 "
          "sectors a request, 4 is perfect here)\n  the whole call: 294,912 sectors moved, 4.5 "
          "times the 65,536 needed to load each cell once; at most 1.01 times allowed",
          kCoalescingHint, At(23))));
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(4.5, 65'536)), IsEmpty());
}

// A load by one lane costs a sector too.
TEST(GlobalTrafficWithin, NamesIdleLanesAsTheCause) {
  const Trial trial = TrialOf({{{9, LoadsOfOneLane(800)}}});
  EXPECT_THAT(
      FailuresOf(trial, GlobalTrafficWithin(1.01, 100)),
      ElementsAre(FailureOf(Verdict::kFailed,
                            "global load: 800 sectors moved for 100 sectors of data: 8 for each "
                            "needed (1 of 32 lanes active)\n  the whole call: 800 sectors moved, "
                            "8.0 times the 100 needed; at most 1.01 times allowed",
                            kLanesHint, At(9))));
}

TEST(GlobalTrafficWithin, NamesTheLargestLineWhereNothingIsWasted) {
  const Trial trial =
      TrialOf({{{11, PerfectLoads(1'000)}, {12, PerfectLoads(900)}, {14, PerfectLoads(10)}}});
  const auto failures = FailuresOf(trial, GlobalTrafficWithin(1.1, 1'000));
  ASSERT_THAT(failures, SizeIs(2));
  EXPECT_EQ(failures[0].complaint.where, At(11));
  EXPECT_EQ(failures[1].complaint.where, At(12));
  EXPECT_EQ(failures[0].complaint.message,
            "global load: 4,000 sectors moved, and nearly all of their bytes are used\n  the whole "
            "call: 7,640 sectors moved, 7.64 times the 1,000 needed; at most 1.1 times allowed");
  EXPECT_EQ(failures[0].complaint.hint, kReuseHint);
}

// Additional work, in any number of launches, does not help to meet the target.
TEST(GlobalTrafficWithin, IsNotMetByDoingMore) {
  const std::vector<Line> naive = {{22, PerfectLoads(1'024)}, {23, ColumnStores(1'024)}};
  const std::vector<Line> decoy = {{23, PerfectLoads(1'000'000)}};
  const std::vector<std::vector<Line>> more[] = {
      {naive}, {decoy, naive}, {naive, naive}, {std::vector<Line>(), naive}};
  for (const auto& launches : more) {
    EXPECT_THAT(FailuresOf(TrialOf(launches), GlobalTrafficWithin(1.01, 8'192)),
                testing::Not(IsEmpty()));
  }
}

TEST(GlobalTrafficWithin, NeedsTheArraysOfTheCallUnlessToldOtherwise) {
  Trial trial = TrialOf({{{5, PerfectLoads(3)}}});
  const auto array = [](std::size_t bytes, bool is_input) {
    return std::make_shared<ArrayStart>(
        ArrayStart{typeid(std::byte), {bytes}, std::vector<std::byte>(bytes), is_input});
  };
  Plan plan;
  plan.arrays = {array(320, true), array(33, false)};
  trial.plan = std::make_shared<const Plan>(plan);
  EXPECT_EQ(SectorsOfArrays(trial).quantity, 12);
  EXPECT_EQ(SectorsOfOutputs(trial).quantity, 2);
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(1)), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(0.99)), SizeIs(1));
}

TEST(GlobalTrafficWithin, NamesTheKernelWhereLinesAreUnknown) {
  Trial trial = TrialOf({{}});
  trial.launches[0].counters = CountersOf(ColumnStores(1));
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(1, 4)),
              ElementsAre(testing::Field(
                  &CaseFailure::complaint,
                  testing::Field(&Complaint::message,
                                 testing::StartsWith("kernel: global store: 32 sectors moved")))));
}

TEST(GlobalTrafficWithin, IsNoPassWhereNothingRan) {
  const auto not_judged = [](const std::string& why) {
    return ElementsAre(FailureOf(Verdict::kSkipped, "not judged: " + why));
  };
  EXPECT_THAT(FailuresOf(ReturnedTrial(), GlobalTrafficWithin(1, 1)),
              not_judged("transpose() launched no kernel"));
  Trial refused = TrialOf({{}});
  refused.launches[0].kernel = "tiled";
  refused.launches[0].error = DeviceError::kInvalidConfiguration;
  EXPECT_THAT(FailuresOf(refused, GlobalTrafficWithin(1, 1)),
              not_judged("the launch of tiled was refused"));
  refused.launches[0].error = DeviceError::kLaunchTimeout;
  EXPECT_THAT(FailuresOf(refused, GlobalTrafficWithin(1, 1)),
              not_judged("no kernel ran to its end"));
}

TEST(GlobalTrafficWithin, SaysWhereAndWhyItWasNotMeasured) {
  Trial trial = ReturnedTrial();
  trial.launches = {LaunchOf("tiled")};
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(1, 1)),
              ElementsAre(FailureOf(Verdict::kNotMeasured,
                                    "global memory of tiled was not measured on this device",
                                    kDoctorHint)));
  trial.launches[0].not_measured = "counters are not allowed";
  EXPECT_THAT(
      FailuresOf(trial, GlobalTrafficWithin(1, 1)),
      ElementsAre(FailureOf(Verdict::kNotMeasured,
                            "global memory of tiled was not measured: counters are not allowed",
                            kDoctorHint)));
}

TEST(GlobalTrafficWithin, DoesNotTrustWhatNoCounterSees) {
  Trial trial = TrialOf({{{5, PerfectLoads(1)}}, {{5, PerfectLoads(1)}}});
  trial.launches[1].unseen = "a texture object";
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(100, 100)),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "kernel accesses global memory by a texture object, which no counter sees",
                  "load and store by pointers, or load from linear memory by tex1Dfetch: this test "
                  "grades how memory is accessed")));
}

// Copies that read two lines of global memory have no bank conflict, and padding does not help.
TEST(SharedTrafficWithin, TellsTheCauseOfACopyThatTakesTwoPasses) {
  Trial copies = TrialOf({{{5, {.wavefronts = 200, .wavefronts_ideal = 100}}}});
  copies.launches[0].lines[0].counters.Set(Counter::kAsyncCopyRequests, 100);
  EXPECT_THAT(FailuresOf(copies, SharedTrafficWithin(1.1, 100)),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "copies to shared memory: 200 wavefronts, 100 would suffice\n  the whole call: "
                  "200 wavefronts, 2.0 times the 100 needed; at most 1.1 times allowed",
                  "let the 32 lanes of a warp copy bytes that lie side by side in global memory: a "
                  "whole row of 32 floats, or 16 bytes for each lane. Their first address must be "
                  "a multiple of their total size. A copy to shared memory takes one pass for each "
                  "line of 128 bytes of global memory that its lanes read, even if they read only "
                  "a part of the line. Padding the tile does not help",
                  At(5))));
}

// Lanes that update the same address move one sector, but each lane counts.
// A line that loads from constant memory.
Trial ConstantLoads(std::uint64_t requests, std::uint64_t passes) {
  Trial trial = TrialOf({{{7, {}}}});
  for (CounterSet* counters : {&trial.launches[0].counters, &trial.launches[0].lines[0].counters}) {
    counters->Set(Counter::kConstantRequests, requests);
    counters->Set(Counter::kConstantPasses, passes);
  }
  return trial;
}

TEST(ConstantReadsWithin, AllowsOneAddressForEachWarp) {
  const Needed needed(64, "to read each coefficient once for each warp");
  EXPECT_THAT(FailuresOf(ConstantLoads(64, 64), ConstantReadsWithin(1, needed)), IsEmpty());
  const auto apart = FailuresOf(ConstantLoads(64, 2'048), ConstantReadsWithin(1, needed));
  ASSERT_THAT(apart, SizeIs(1));
  EXPECT_THAT(apart[0].complaint.message,
              testing::StartsWith("constant load: 2,048 passes for 64 loads of warps: the lanes of "
                                  "a warp read 32 different addresses on average\n  the whole "
                                  "call: 2,048 passes, 32.0 times the 64 needed to read each "
                                  "coefficient once for each warp"));
  EXPECT_THAT(apart[0].complaint.hint, HasSubstr("let all lanes of a warp read the same element"));
  const auto twice = FailuresOf(ConstantLoads(128, 128), ConstantReadsWithin(1, needed));
  ASSERT_THAT(twice, SizeIs(1));
  EXPECT_THAT(twice[0].complaint.message,
              testing::StartsWith("constant load: 128 passes for 128 loads of warps, one each"));
  EXPECT_THAT(twice[0].complaint.hint, HasSubstr("load each value once into a register"));
}

// A GPU does not count them.
TEST(ConstantReadsWithin, IsNotMeasuredWithoutTheCounter) {
  const auto failures = FailuresOf(TrialOf({{{7, {}}}}), ConstantReadsWithin(1, 64));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].verdict, Verdict::kNotMeasured);
}

// Returns a trial in which line 7 fetches from a texture. Line 8 loads by pointers.
Trial Fetches(std::uint64_t requests, std::uint64_t sectors, std::uint64_t loads) {
  Trial trial =
      TrialOf({{{7, {.sectors = sectors, .load_sectors = sectors}}, {8, PerfectLoads(loads)}}});
  LaunchRecord& launch = trial.launches[0];
  for (CounterSet* counters : {&launch.lines[0].counters, &launch.counters}) {
    counters->Set(Counter::kTextureRequests, requests);
    counters->Set(Counter::kTextureSectors, sectors);
  }
  launch.lines[1].counters.Set(Counter::kTextureRequests, 0);
  launch.lines[1].counters.Set(Counter::kTextureSectors, 0);
  return trial;
}

TEST(TextureFetchesWithin, CountsSectorsOfFetchesAlone) {
  const Needed needed(512, "to fetch each pixel once");
  EXPECT_THAT(FailuresOf(Fetches(64, 512, 1000), TextureFetchesWithin(1, needed)), IsEmpty());
  const auto failures = FailuresOf(Fetches(64, 2'048, 1000), TextureFetchesWithin(1.5, needed));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, At(7));
  EXPECT_THAT(failures[0].complaint.message,
              testing::StartsWith("texture fetch: 2,048 sectors looked up for 64 fetches of warps: "
                                  "32 for each\n  the whole call: 2,048 sectors looked up, 4.0 "
                                  "times the 512 needed to fetch each pixel once"));
  EXPECT_THAT(failures[0].complaint.hint, HasSubstr("let neighbouring threads"));
}

TEST(PointerLoadsWithin, LeavesFetchesOut) {
  EXPECT_THAT(FailuresOf(Fetches(64, 2'048, 1), PointerLoadsWithin(1, 4)), IsEmpty());
  const auto failures = FailuresOf(Fetches(64, 2'048, 10), PointerLoadsWithin(1, 4));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, At(8));
  EXPECT_THAT(failures[0].complaint.message,
              testing::StartsWith("global load: 40 sectors loaded by pointers"));
}

// A GPU does not count the sectors of fetches.
TEST(TextureFetchesWithin, IsNotMeasuredWithoutTheCounter) {
  for (const CounterMatcher& matcher : {TextureFetchesWithin(1, 4), PointerLoadsWithin(1, 4)}) {
    const auto failures = FailuresOf(TrialOf({{{7, {}}}}), matcher);
    ASSERT_THAT(failures, SizeIs(1));
    EXPECT_EQ(failures[0].verdict, Verdict::kNotMeasured);
  }
}

// Launches add up, because they take turns.
TEST(BusiestBlockWithin, AddsUpTheBusiestBlocksOfLaunches) {
  Trial trial = TrialOf({{{7, PerfectLoads(8)}}, {{8, PerfectLoads(8)}}});
  trial.launches[0].counters.Set(Counter::kBusiestBlockBytes, 1'000);
  trial.launches[1].counters.Set(Counter::kBusiestBlockBytes, 24);
  EXPECT_THAT(FailuresOf(trial, BusiestBlockWithin(1'024)), IsEmpty());
  EXPECT_THAT(
      FailuresOf(trial, BusiestBlockWithin(1'023)),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "the whole call: 1,024 bytes of global memory loaded and stored by the busiest block of "
          "each launch, at most 1,023 allowed",
          "let many blocks share the work: each takes an equal part of the data, by blockIdx",
          SourceLocation())));
}

// A GPU does not count single blocks.
TEST(BusiestBlockWithin, IsNotMeasuredWithoutTheCounter) {
  const auto failures = FailuresOf(TrialOf({{{7, {}}}}), BusiestBlockWithin(1));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].verdict, Verdict::kNotMeasured);
}

TEST(StoredBytesWithin, CountsEachLaneThatUpdates) {
  Trial updates = TrialOf({{{5, {.sectors = 1, .bytes = 1'024, .lanes = 32, .reductions = 1}}}});
  updates.launches[0].counters.Set(Counter::kGlobalLoadBytes, 896);
  updates.launches[0].lines[0].counters.Set(Counter::kGlobalLoadBytes, 896);
  EXPECT_THAT(FailuresOf(updates, StoredBytesWithin(1, 128)), IsEmpty());
  EXPECT_THAT(
      FailuresOf(updates, StoredBytesWithin(1, 64)),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "global access: 128 bytes stored or updated\n  the whole call: 128 bytes stored or "
          "updated, 2.0 times the 64 needed; at most 1.0 times allowed",
          "first add up in registers, by shuffles or in shared memory, then update global memory "
          "once for each warp or block: lanes that update the same address wait for each other",
          At(5))));
}

// An atomic counts as a store, and as a load too if its result is used.
TEST(GlobalLoadsAndStoresWithin, CountAtomicsAsWhatTheyMove) {
  const Trial trial =
      TrialOf({{{7, PerfectLoads(10)},
                {8, ColumnStores(2)},
                {9, {.sectors = 5, .sectors_ideal = 5, .atomics = 5, .atomic_sectors = 5}},
                {10, {.sectors = 3, .sectors_ideal = 3, .reductions = 3}}}});
  EXPECT_THAT(FailuresOf(trial, GlobalLoadsWithin(1, 45)), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, GlobalLoadsWithin(1, 44)), testing::Not(IsEmpty()));
  EXPECT_THAT(FailuresOf(trial, GlobalStoresWithin(1, 72)), IsEmpty());
  const auto failures = FailuresOf(trial, GlobalStoresWithin(1, 71));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, At(8));
  EXPECT_THAT(failures[0].complaint.message,
              HasSubstr("the whole call: 72 sectors stored, 1.014 times the 71 needed"));
}

TEST(SharedTrafficWithin, GivesTheWaysOfTheConflict) {
  const Trial trial = TrialOf({{{12,
                                 {.wavefronts = 32'768,
                                  .wavefronts_ideal = 32'768,
                                  .shared_stores = 32'768,
                                  .shared_lanes = 1'048'576}},
                                {17,
                                 {.wavefronts = 1'048'576,
                                  .wavefronts_ideal = 32'768,
                                  .shared_loads = 32'768,
                                  .shared_lanes = 1'048'576}}}});
  const auto failures = FailuresOf(trial, SharedTrafficWithin(1.1, 65'536));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, At(17));
  EXPECT_EQ(
      failures[0].complaint.message,
      "32-way bank conflict in a shared load: 1,048,576 wavefronts, 32,768 would suffice\n  the "
      "whole call: 1,081,344 wavefronts, 16.5 times the 65,536 needed; at most 1.1 times allowed");
}

// Lanes that access the memory one after another have no conflict, but take as many wavefronts.
TEST(SharedTrafficWithin, IsNotMetByOneLaneAtATime) {
  const Trial trial = TrialOf({{{17,
                                 {.wavefronts = 1'024,
                                  .wavefronts_ideal = 1'024,
                                  .shared_loads = 1'024,
                                  .shared_lanes = 1'024}}}});
  const auto failures = FailuresOf(trial, SharedTrafficWithin(1.1, 64));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_THAT(failures[0].complaint.message,
              testing::StartsWith("shared load: 1,024 wavefronts (1 of 32 lanes active)\n"));
  EXPECT_EQ(failures[0].complaint.hint, kLanesHint);
  EXPECT_THAT(FailuresOf(trial, ExcessiveWavefronts(Eq(0))), IsEmpty());
}

// Returns a call that needs 1,000 wavefronts, has no idle lanes, and loses some to conflicts.
Trial OfWavefronts(std::uint64_t wavefronts, std::uint64_t conflicts) {
  const std::uint64_t loads = wavefronts - conflicts;
  return TrialOf({{{17,
                    {.wavefronts = wavefronts,
                     .wavefronts_ideal = loads,
                     .shared_loads = loads,
                     .shared_lanes = 32 * loads}}}});
}

TEST(SharedTrafficWithin, AllowsMoreToCallsWithoutWaste) {
  const auto either = SharedTrafficWithin(1.1, 1'000).OrWithoutWaste(2.25);
  EXPECT_THAT(FailuresOf(OfWavefronts(1'100, 600), either), IsEmpty());
  EXPECT_THAT(FailuresOf(OfWavefronts(1'101, 51), either), SizeIs(1));
  EXPECT_THAT(FailuresOf(OfWavefronts(1'101, 50), either), IsEmpty());
  EXPECT_THAT(FailuresOf(OfWavefronts(2'250, 50), either), IsEmpty());
  EXPECT_THAT(FailuresOf(OfWavefronts(2'251, 0), either), SizeIs(1));
  EXPECT_THAT(FailuresOf(OfWavefronts(1'101, 0), SharedTrafficWithin(1.1, 1'000)), SizeIs(1));
}

// A two-way conflict costs as much as half a warp at a time, which has no conflict.
TEST(SharedTrafficWithin, TakesIdleLanesForWaste) {
  const Trial trial = TrialOf({{{17,
                                 {.wavefronts = 1'500,
                                  .wavefronts_ideal = 1'500,
                                  .shared_loads = 1'500,
                                  .shared_lanes = 32'000}}}});
  EXPECT_THAT(FailuresOf(trial, SharedTrafficWithin(1.1, 1'000).OrWithoutWaste(2.25)), SizeIs(1));
}

// The call would meet the larger bound without its conflicts, so the hint is about conflicts.
TEST(SharedTrafficWithin, BlamesConflictsRatherThanWork) {
  const auto failures =
      FailuresOf(OfWavefronts(2'000, 400), SharedTrafficWithin(1.1, 1'000).OrWithoutWaste(2.25));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(
      failures[0].complaint.message,
      "1.2-way bank conflict in a shared load: 2,000 wavefronts, 1,600 would suffice\n  the "
      "whole call: 2,000 wavefronts, 2.0 times the 1,000 needed; at most 1.1 times allowed, or "
      "2.25 times without bank conflicts and idle lanes");
}

TEST(IdleLanesWithin, SumsGlobalAndSharedAccesses) {
  const Trial trial = TrialOf(
      {{{4, PerfectLoads(8)},
        {6,
         {.wavefronts = 141, .wavefronts_ideal = 141, .shared_loads = 141, .shared_lanes = 765}}}});
  EXPECT_THAT(FailuresOf(trial, IdleLanesWithin(1, 3'747)), IsEmpty());
  const auto failures = FailuresOf(trial, IdleLanesWithin(1, 3'746));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, At(6));
  EXPECT_THAT(
      failures[0].complaint.message,
      testing::StartsWith(
          "5.4 of 32 lanes active in each memory access on average: 141 accesses of warps\n"));
}

TEST(CounterWithin, SumsAllLaunches) {
  const Trial trial = TrialOf({{{8, {.loads = 600}}}, {{8, {.loads = 600}}}});
  EXPECT_THAT(FailuresOf(trial, CounterWithin(Counter::kGlobalLoadRequests, 1'200)), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, CounterWithin(Counter::kGlobalLoadRequests, 1'000)),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "1,200 warp instructions that load from global memory (counter "
                  "global_load_requests)\n  the whole call: 1,200 warp instructions that load from "
                  "global memory, at most 1,000 allowed",
                  "", At(8))));
}

TEST(Coalescing, IsARatioOfTheWholeCall) {
  const Trial trial = TrialOf({{{22, PerfectLoads(10)}, {23, ColumnStores(10)}}});
  EXPECT_THAT(FailuresOf(trial, Coalescing(Ge(0.2))), IsEmpty());
  const auto failures = FailuresOf(trial, Coalescing(Ge(0.99)));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, At(23));
  EXPECT_THAT(failures[0].complaint.message,
              HasSubstr("\n  the whole call: coalescing 0.222; the target: is >= 0.99"));
}

TEST(CounterMatcher, KeepsEachTargetThatJudgedTheCase) {
  const Trial trial = TrialOf({{{22, PerfectLoads(10)}}});
  CaseLog::Current().TakeTargets();
  FailuresOf(trial, Coalescing(Ge(0.99)));
  FailuresOf(trial, GlobalTrafficWithin(1, 40));
  FailuresOf(trial, GlobalTrafficWithin(1, 40));
  FailuresOf(trial, GlobalTrafficWithin(1, 39));
  EXPECT_THAT(CaseLog::Current().TakeTargets(),
              ElementsAre(CaseResult::Target{"coalescing", false, 1.0, {}, true},
                          CaseResult::Target{"global memory", true, 40.0, 40.0, true},
                          CaseResult::Target{"global memory", true, 40.0, 39.0, false}));
}

TEST(CounterMatcher, JudgesNoCallThatDidNotReturn) {
  EXPECT_THAT(
      FailuresOf(EndedTrial(remote::CallEnd::kException, "std::bad_alloc"), Coalescing(Ge(0.99))),
      ElementsAre(FailureOf(Verdict::kSkipped, "not judged: transpose() did not return")));
}

TEST(CounterThat, NamesLinesOnlyWhereTooMuchIsDone) {
  const Trial trial = TrialOf({{{5, PerfectLoads(3)}}});
  EXPECT_THAT(
      FailuresOf(trial,
                 CounterThat(Counter::kGlobalAtomicRequests, Ge(1)).WithHint("use atomicAdd")),
      ElementsAre(FailureOf(Verdict::kFailed,
                            "the whole call: global_atomic_requests 0; the target: is >= 1",
                            "use atomicAdd")));
  const auto failures =
      FailuresOf(trial, CounterThat(Counter::kGlobalLoadRequests, testing::Le(2)));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, At(5));
  EXPECT_THAT(FailuresOf(trial, CounterThat(Counter::kGlobalLoadRequests, Eq(3))), IsEmpty());
}

TEST(CounterMatcher, TakesTheHintOfTheChecks) {
  const Trial trial = TrialOf({{{22, PerfectLoads(8'192)}, {23, ColumnStores(8'192)}}});
  const auto failures =
      FailuresOf(trial, GlobalTrafficWithin(1.01, 65'536).WithHint("section 3 of the handout"));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.hint, "section 3 of the handout");
  EXPECT_EQ(failures[0].complaint.where, At(23));
}

}  // namespace
}  // namespace warpcheck
