#include <gmock/gmock.h>

#include "device/finding.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

Finding Found(FindingKind kind, int line, std::string message, std::uint64_t count = 1) {
  Finding finding;
  finding.kind = kind;
  finding.where = {"k.cu", line, 0};
  finding.kernel = "k(float*)";
  finding.message = std::move(message);
  finding.count = count;
  return finding;
}

Gap Between(int after, int before, std::string barrier = "__syncthreads()") {
  return {{"k.cu", after, 0}, {"k.cu", before, 0}, std::move(barrier)};
}

// Returns a race with a gap between the two lines. Its read is at `before`, or at `after` in a
// loop.
Finding Race(int after, int before, std::uint64_t count, std::string barrier = "__syncthreads()") {
  Finding race = Found(FindingKind::kSharedRace, std::max(after, before), "a race", count);
  race.gap = Between(after, before, std::move(barrier));
  return race;
}

std::vector<std::string> Told(const std::vector<Finding>& findings) {
  std::vector<std::string> told;
  for (const Finding& finding : Mistakes(findings)) {
    told.push_back(std::to_string(finding.count) + " x " + MessageOf(finding));
  }
  return told;
}

TEST(Mistakes, AreOneALineAndKind) {
  Finding other = Found(FindingKind::kOutOfBoundsRead, 7, "reads in[9]", 4);
  other.kernel = "k<8>(float*)";
  EXPECT_THAT(Told({Found(FindingKind::kOutOfBoundsRead, 7, "reads in[5]", 2), other,
                    Found(FindingKind::kOutOfBoundsWrite, 7, "writes out[5]")}),
              ElementsAre("6 x reads in[5]", "1 x writes out[5]"));
}

TEST(Mistakes, AreOneForABarrierThatManyLinesMiss) {
  EXPECT_THAT(Told({Race(10, 20, 3), Race(12, 20, 1), Race(12, 18, 5)}),
              ElementsAre("9 x no __syncthreads() between line 12 and line 18: a race"));
}

TEST(Mistakes, AreTwoForTwoBarriers) {
  EXPECT_THAT(Told({Race(10, 20, 3), Race(20, 30, 1)}),
              ElementsAre("3 x no __syncthreads() between line 10 and line 20: a race",
                          "1 x no __syncthreads() between line 20 and line 30: a race"));
}

TEST(Mistakes, AreOneAtTheEndOfALoop) {
  EXPECT_THAT(Told({Race(20, 10, 3), Race(21, 11, 1), Race(10, 20, 2)}),
              ElementsAre("4 x no __syncthreads() after line 21, before line 10 runs again: a race",
                          "2 x no __syncthreads() between line 10 and line 20: a race"));
}

TEST(Mistakes, AreOneForTheStepsOfAWarp) {
  EXPECT_THAT(Told({Race(10, 11, 3, "__syncwarp()"), Race(11, 12, 1, "__syncwarp()"),
                    Race(12, 13, 2, "__syncwarp()")}),
              ElementsAre("6 x no __syncwarp() between line 10 and line 11: a race; the same is "
                          "missing between the other steps from line 10 to line 13"));
}

// A barrier of the block orders the lanes of a warp too, in either order of the findings.
TEST(Mistakes, AreOneForABarrierOfTheBlockAndOneOfAWarp) {
  const Finding block = Race(10, 20, 3);
  const Finding warp = Race(12, 18, 2, "__syncwarp()");
  const auto one = ElementsAre("5 x no __syncthreads() between line 12 and line 18: a race");
  EXPECT_THAT(Told({block, warp}), one);
  EXPECT_THAT(Told({warp, block}), one);
}

TEST(Mistakes, AreOneForACopyWithoutAWaitAndWhatComesRoundAgain) {
  Finding use = Race(10, 20, 3, "__pipeline_wait_prior(0)");
  use.kind = FindingKind::kAsyncCopyRace;
  Finding again = Found(FindingKind::kAsyncCopyRace, 10, "a copy over a copy");
  EXPECT_THAT(Told({again, use}),
              ElementsAre("3 x no __pipeline_wait_prior(0) between line 10 and line 20: a race"));
}

// The heading, the element and the threads belong to one access, whatever gap they have in common.
TEST(Mistakes, ShowTheLineOfTheAccessThatTheyTell) {
  Finding a = Race(39, 41, 1), b = Race(40, 42, 1);
  a.message = "reads tile_a";
  b.message = "reads tile_b";
  const std::vector<Finding> one = Mistakes({b, a});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(PlaceOf(one[0]).line, one[0].message == "reads tile_a" ? 41 : 42);
  EXPECT_EQ(MessageOf(one[0]), "no __syncthreads() between line 40 and line 41: " + one[0].message);
}

TEST(Mistakes, LeaveOutAReadThatAnotherThreadWritesLater) {
  Finding race = Found(FindingKind::kGlobalRace, 20, "reads part[1]");
  race.other = {"k.cu", 10, 0};
  EXPECT_THAT(Told({Found(FindingKind::kUninitialisedUse, 20, "reads part[1]"), race}),
              ElementsAre("1 x reads part[1]"));
  // "count[i]++" reads what nothing has set to 0 before.
  race.other = race.where;
  EXPECT_THAT(Told({Found(FindingKind::kUninitialisedUse, 20, "never written"), race}),
              ElementsAre("1 x never written", "1 x reads part[1]"));
}

TEST(Mistakes, LeaveOutWhatARaceExplains) {
  EXPECT_THAT(
      Told({Found(FindingKind::kUninitialisedUse, 20, "reads tile[3]"),
            Found(FindingKind::kUninitialisedUse, 25, "reads in[3]"), Race(10, 20, 2)}),
      ElementsAre("2 x no __syncthreads() between line 10 and line 20: a race", "1 x reads in[3]"));
  EXPECT_THAT(Told({Race(10, 20, 2), Found(FindingKind::kUninitialisedUse, 20, "reads tile[3]")}),
              ElementsAre("2 x no __syncthreads() between line 10 and line 20: a race"));
}

// One barrier is missing for both races, and each explains the use at its own line.
TEST(Mistakes, LeaveOutWhatAnyOfSeveralRacesExplains) {
  const std::vector<Finding> findings = {
      Found(FindingKind::kUninitialisedUse, 16, "updates what nothing has written"), Race(9, 15, 1),
      Race(9, 16, 1)};
  EXPECT_THAT(Told(findings),
              ElementsAre("2 x no __syncthreads() between line 9 and line 15: a race"));
}

TEST(Mistakes, NameAnMbarrierThatWasNotInitialisedOnce) {
  const Finding cause = Found(FindingKind::kUninitialisedBarrier, 7, "uses an mbarrier");
  EXPECT_THAT(Told({Found(FindingKind::kUninitialisedUse, 7, "updates barrier"),
                    Found(FindingKind::kUninitialisedUse, 8, "reads in[3]"), cause}),
              ElementsAre("1 x uses an mbarrier", "1 x reads in[3]"));
}

// The kernel calls the function on two lines.
TEST(Mistakes, LookAtTheLinesOfTheKernel) {
  Finding race = Race(10, 20, 2);
  race.where = {"k.cu", 3, 0};
  race.caller = {"k.cu", 20, 0};
  Finding use = Found(FindingKind::kUninitialisedUse, 4, "reads tile[3]");
  use.caller = {"k.cu", 20, 0};
  EXPECT_THAT(Told({use, race}),
              ElementsAre("2 x no __syncthreads() between line 10 and line 20: a race; the "
                          "function called there does so in line 3"));
  EXPECT_EQ(PlaceOf(race), (SourceLocation{"k.cu", 20, 0}));
  EXPECT_EQ(PlaceOf(use), (SourceLocation{"k.cu", 4, 0}));
  EXPECT_EQ(MessageOf(use), "reads tile[3], called at line 20");
}

TEST(Mistakes, NameTheFileOfALineElsewhere) {
  Finding use = Found(FindingKind::kUninitialisedUse, 4, "reads tile[3]");
  use.caller = {"other.cu", 20, 0};
  EXPECT_EQ(MessageOf(use), "reads tile[3], called at other.cu:20");
}

}  // namespace
}  // namespace warpcheck
