#include "checks/array_traffic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/counter_matchers.h"
#include "emulator/emulator.h"
#include "trial/fakes.h"
#include "trial/trial_device.h"

void encrypt(const int*, const int*, int*);  // it is not defined here

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
      {.start = array(12'800, true), .bytes = {}, .address = kText, .name = "text"});
  trial.arrays.push_back(
      {.start = array(256, true), .bytes = {}, .address = kTable, .name = "table"});
  trial.arrays.push_back(
      {.start = array(12'800, false), .bytes = {}, .address = kOut, .name = "out"});
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
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].complaint.where, (SourceLocation{"cipher.cu", 9, 0}));
  EXPECT_THAT(failures[0].complaint.message,
              HasSubstr("the whole call, array text and memory that may hold copies: 1,200 "
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
  EXPECT_THAT(FailuresOf(CipherTrial(), CounterWithin(Counter::kSharedWavefronts, 1).Of("text")),
              ElementsAre(FailureOf(Verdict::kHarnessFault,
                                    "Of(\"text\") cannot select shared_wavefronts: it is counted "
                                    "for a launch, not for each array")));
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

// Copies the lane's own word from the first array to the third, and reads the first word of the
// second array four times.
constexpr std::string_view kCipher = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry encrypt(.param .u64 p0, .param .u64 p1, .param .u64 p2)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p0];
  ld.param.u64 %rd2, [p1];
  ld.param.u64 %rd3, [p2];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 4;
  add.u64 %rd5, %rd1, %rd4;
  add.u64 %rd6, %rd3, %rd4;
  ld.global.u32 %r2, [%rd5];
  ld.global.u32 %r3, [%rd2];
  ld.global.u32 %r3, [%rd2];
  ld.global.u32 %r3, [%rd2];
  ld.global.u32 %r3, [%rd2];
  st.global.u32 [%rd6], %r2;
  ret;
}
)";

// Returns a trial of that kernel with 64 threads on an emulator. If `copies` is true, the program
// copies the first array to memory of its own, and the kernel reads that.
Trial Encrypted(bool copies) {
  const auto array = [](std::size_t words, bool is_input) {
    return std::make_shared<ArrayStart>(
        ArrayStart{typeid(int), {words}, std::vector<std::byte>(4 * words), is_input});
  };
  const auto plan = std::make_shared<const Plan>(MakePlan<&encrypt>(
      DeviceArray<const int>{array(64, true)}, DeviceArray<const int>{array(8, true)},
      DeviceArray<int>{array(64, false)}));
  TrialLog log;
  emulator::Options options;
  options.by_allocation = true;
  const auto emulator = emulator::MakeEmulator(log, std::move(options));
  TrialDevice device({plan}, *emulator, log);
  device.BeginCall();
  device.NameArrays(*plan, "void encrypt(const int* text, const int* table, int* out);");
  std::vector<DeviceAddress> addresses = device.AddressesOf(*plan);
  if (copies) {
    const DeviceAddress own = device.watched().Allocate(256, 0).value();
    EXPECT_EQ(device.watched().Copy(own, addresses[0], 256), DeviceError::kSuccess);
    addresses[0] = own;
  }
  const auto module = device.watched().LoadModule(kCipher);
  EXPECT_TRUE(module.has_value());
  const LaunchRequest request{.module = module->id,
                              .kernel = "encrypt",
                              .grid = {1, 1, 1},
                              .block = {64, 1, 1},
                              .parameters = BytesOf(addresses)};
  EXPECT_EQ(device.watched().Launch(request), DeviceError::kSuccess);
  Trial trial = NewTrial(plan);
  trial.outcome.end = remote::CallEnd::kReturned;
  device.MoveInto(trial);
  return trial;
}

TEST(Of, FindsTheArraysOfACall) {
  for (const bool copies : {false, true}) {
    const Trial trial = Encrypted(copies);
    const auto loads = [&](double sectors, const auto&... names) {
      return FailuresOf(trial, GlobalLoadsWithin(1, sectors).Of(names...)).empty();
    };
    EXPECT_TRUE(loads(8, "text")) << copies;
    EXPECT_FALSE(loads(7, "text")) << copies;  // the copy counts as well
    EXPECT_TRUE(loads(8, "table")) << copies;  // the copy has no byte of the table
    EXPECT_FALSE(loads(7, "table")) << copies;
    EXPECT_TRUE(loads(16, "text", "table")) << copies;
    EXPECT_THAT(FailuresOf(trial, GlobalStoresWithin(1).Of("out")), IsEmpty());
    EXPECT_THAT(FailuresOf(trial, GlobalTrafficWithin(1).Of("table")), SizeIs(1));
  }
}

}  // namespace
}  // namespace warpcheck
