#include "checks/array_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/counter_matchers.h"
#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr DeviceAddress kText = 0x1000;
constexpr DeviceAddress kTable = 0x2000;
constexpr DeviceAddress kOut = 0x3000;
constexpr DeviceAddress kOwn = 0x4000;  // memory that the program allocated

LineCounters LoadsAt(int line, std::uint64_t sectors) {
  return {.where = {"cipher.cu", line, 0},
          .counters = CountersOf({.sectors = sectors,
                                  .sectors_ideal = sectors,
                                  .load_sectors = sectors,
                                  .bytes = 32 * sectors,
                                  .lanes = 8 * sectors,
                                  .loads = sectors / 4})};
}

// Returns a trial of a kernel that loads 400 sectors of text in line 5, and 1,000 of the table in
// line 6.
Trial CipherTrial() {
  Trial trial = ReturnedTrial();
  trial.function = "cipher()";
  const auto array = [](std::size_t bytes, bool is_input) {
    return std::make_shared<ArrayStart>(
        ArrayStart{typeid(std::byte), {bytes}, std::vector<std::byte>(bytes), is_input});
  };
  trial.arrays.push_back(
      {.start = array(400 * 32, true), .bytes = {}, .address = kText, .name = "text"});
  trial.arrays.push_back(
      {.start = array(256, true), .bytes = {}, .address = kTable, .name = "table"});
  trial.arrays.push_back(
      {.start = array(400 * 32, false), .bytes = {}, .address = kOut, .name = "out"});
  LaunchRecord launch = LaunchOf("encrypt");
  launch.lines = {LoadsAt(5, 400), LoadsAt(6, 1'000)};
  launch.counters = launch.lines[0].counters;
  launch.counters += launch.lines[1].counters;
  launch.arrays = {{.begin = kText, .lines = {LoadsAt(5, 400)}},
                   {.begin = kTable, .lines = {LoadsAt(6, 1'000)}}};
  trial.launches = {launch};
  return trial;
}

TEST(Of, LeavesOutTheOtherArrays) {
  const Trial trial = CipherTrial();
  EXPECT_THAT(FailuresOf(trial, GlobalLoadsWithin(1, 400)), SizeIs(2));
  EXPECT_THAT(FailuresOf(trial, GlobalLoadsWithin(1, 400).Of("text")), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, GlobalLoadsWithin(1, 1'400).Of("text", "table")), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, GlobalStoresWithin(1).Of("out")), IsEmpty());
}

TEST(Of, NamesTheArrayAndTheLine) {
  CaseLog::Current().TakeTargets();
  const auto failures =
      FailuresOf(CipherTrial(), GlobalLoadsWithin(1.5, {8, "to load the table once"}).Of("table"));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, (SourceLocation{"cipher.cu", 6, 0}));
  EXPECT_EQ(failures[0].complaint.message,
            "global load: 1,000 sectors moved, and nearly all of their bytes are used\n  the whole "
            "call, array table: 1,000 sectors loaded, 125.0 times the 8 needed to load the table "
            "once; at most 1.5 times allowed");
  EXPECT_THAT(CaseLog::Current().TakeTargets(),
              ElementsAre(testing::Field(&CaseResult::Target::measure,
                                         "loads from global memory (array table)")));
}

// A copy of the array, in memory that the program allocates, does not escape the target.
TEST(Of, CountsMemoryOfTheProgramItself) {
  Trial trial = CipherTrial();
  trial.launches[0].arrays->push_back({.begin = kOwn, .lines = {LoadsAt(9, 800)}});
  const auto failures = FailuresOf(trial, GlobalLoadsWithin(1, 400).Of("text"));
  ASSERT_THAT(failures, SizeIs(2));
  EXPECT_EQ(failures[0].complaint.where, (SourceLocation{"cipher.cu", 9, 0}));
  EXPECT_THAT(failures[0].complaint.message,
              HasSubstr("the whole call, array text and memory of the program itself: 1,200 "
                        "sectors loaded"));
}

TEST(Of, NeedsTheSectorsOfTheArrayUnlessToldOtherwise) {
  const Trial trial = CipherTrial();
  EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(1).Of("text")), IsEmpty());
  EXPECT_THAT(
      FailuresOf(trial, GlobalTrafficWithin(0.99).Of("text")),
      ElementsAre(testing::Field(
          &CaseFailure::complaint,
          testing::Field(&Complaint::message,
                         HasSubstr("1.0 times the 400 needed to move each element once")))));
}

TEST(Of, IsAFaultOfTheChecksForAnotherName) {
  EXPECT_THAT(FailuresOf(CipherTrial(), GlobalLoadsWithin(1, 1).Of("tabel")),
              ElementsAre(FailureOf(Verdict::kHarnessFault,
                                    "Of(\"tabel\"): cipher() has no array of this name. Its arrays "
                                    "are named text, table, out")));
  EXPECT_THAT(
      FailuresOf(CipherTrial(), CounterWithin(Counter::kSharedWavefronts, 1).Of("text")),
      ElementsAre(FailureOf(Verdict::kHarnessFault,
                            "Of(\"text\"): shared_wavefronts is not counted for each array")));
}

TEST(Of, IsNotMeasuredByADeviceThatCountsAllArraysTogether) {
  Trial trial = CipherTrial();
  trial.launches[0].arrays.reset();
  const auto failures = FailuresOf(trial, GlobalLoadsWithin(1, 400).Of("text"));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].verdict, Verdict::kNotMeasured);
  EXPECT_EQ(failures[0].complaint.message,
            "loads from global memory (array text) of encrypt was not measured: only the emulator "
            "counts the accesses to each array apart");
}

// Launches that are added up keep their arrays.
TEST(Of, CountsLaunchesThatAreAddedUp) {
  Trial trial = CipherTrial();
  AddLaunch(trial.launches[0], LaunchRecord(trial.launches[0]), 2);
  EXPECT_THAT(FailuresOf(trial, GlobalLoadsWithin(1, 1'200).Of("text")), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, GlobalLoadsWithin(1, 1'199).Of("text")), SizeIs(1));
}

}  // namespace
}  // namespace warpcheck
