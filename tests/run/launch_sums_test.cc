#include "run/launch_sums.h"

#include <gtest/gtest.h>

namespace warpcheck::run {
namespace {

Finding Race(int line, int other) {
  Finding finding;
  finding.kind = FindingKind::kSharedRace;
  finding.where = {"k.cu", line, 0};
  finding.other = {"k.cu", other, 0};
  return finding;
}

TEST(LaunchSums, KeepsEachPairOfARace) {
  LaunchRecord record;
  record.kernel = "k";
  record.findings = {Race(7, 3), Race(7, 4)};
  LaunchSums fold;
  fold.Add(record, 2);
  fold.Add(record);
  ASSERT_EQ(fold.groups().size(), 1U);
  const std::vector<Finding>& findings = fold.groups()[0].sum.findings;
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].other.line, 3);
  EXPECT_EQ(findings[1].other.line, 4);
  EXPECT_EQ(findings[1].count, 3U);
}

}  // namespace
}  // namespace warpcheck::run
