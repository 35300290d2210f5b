#include <gmock/gmock.h>

#include "checks/fakes.h"
#include "checks/memcheck.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

Finding FindingOf(FindingKind kind, int line, std::string message) {
  Finding finding;
  finding.kind = kind;
  if (line > 0) finding.where = {"k.cu", line, 0};
  finding.message = std::move(message);
  if (line > 0) finding.thread.emplace().lane = 3;
  return finding;
}

Trial TrialWith(std::vector<Finding> findings) {
  Trial trial = ReturnedTrial();
  trial.launches.push_back(LaunchOf("k"));
  trial.launches[0].findings = std::move(findings);
  return trial;
}

const Finding kRedZone = FindingOf(FindingKind::kOutOfBoundsWrite, 0, "changes 4 bytes");
const Finding kWrite = FindingOf(FindingKind::kOutOfBoundsWrite, 4, "writes 4 bytes");
const Finding kRead = FindingOf(FindingKind::kOutOfBoundsRead, 3, "reads 4 bytes");

TEST(AddMemcheck, AddsWhatTheGpuDoesNotSee) {
  Trial trial = TrialWith({});
  EXPECT_EQ(AddMemcheck(trial, TrialWith({kRead})), std::nullopt);
  EXPECT_THAT(trial.launches[0].findings, ElementsAre(kRead));
}

TEST(AddMemcheck, PlacesWhatTheRedZonesFound) {
  Trial trial = TrialWith({kRedZone});
  EXPECT_EQ(AddMemcheck(trial, TrialWith({kRead, kWrite})), std::nullopt);
  EXPECT_THAT(trial.launches[0].findings, ElementsAre(kRead, kWrite));
}

TEST(AddMemcheck, KeepsWhatMemcheckDoesNotExplain) {
  Trial trial = TrialWith({kRedZone});
  EXPECT_EQ(AddMemcheck(trial, TrialWith({})), std::nullopt);
  EXPECT_EQ(AddMemcheck(trial, TrialWith({kRead})), std::nullopt);
  EXPECT_THAT(trial.launches[0].findings, ElementsAre(kRedZone, kRead));
}

TEST(AddMemcheck, PlacesAFault) {
  Trial trial = TrialWith({FindingOf(FindingKind::kIllegalAddress, 0, "an illegal address")});
  EXPECT_EQ(AddMemcheck(trial, TrialWith({kRead})), std::nullopt);
  Finding placed = FindingOf(FindingKind::kIllegalAddress, 3, "an illegal address");
  EXPECT_THAT(trial.launches[0].findings, ElementsAre(placed, kRead));
}

TEST(AddMemcheck, BelievesNoOtherLaunch) {
  Trial trial = TrialWith({});
  Trial other = TrialWith({kRead});
  other.launches[0].kernel = "another";
  EXPECT_EQ(AddMemcheck(trial, other)->message,
            "the call launches other kernels when it is made again under memcheck");
  EXPECT_EQ(AddMemcheck(trial, Trial())->message,
            "the call launches fewer kernels when it is made again under memcheck");
}

TEST(AddMemcheck, SaysThatALaunchDidNotEnd) {
  Trial trial = TrialWith({});
  Trial slow = TrialWith({});
  slow.launches[0].error = DeviceError::kLaunchTimeout;
  slow.launches[0].not_measured = "the kernel did not end within 60 s; here it was stopped";
  EXPECT_EQ(AddMemcheck(trial, slow)->message,
            "under memcheck the launch of k did not end: the kernel did not end within 60 s; here "
            "it was stopped");
}

}  // namespace
}  // namespace warpcheck
