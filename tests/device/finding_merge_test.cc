#include <gtest/gtest.h>

#include "device/finding.h"

namespace warpcheck {
namespace {

Finding SharedRace(int line, int other, std::uint64_t count) {
  Finding finding;
  finding.kind = FindingKind::kSharedRace;
  finding.where = {"k.cu", line, 0};
  finding.other = {"k.cu", other, 0};
  finding.message = "thread " + std::to_string(count);
  finding.count = count;
  return finding;
}

TEST(AddFinding, AddsUpWhatTellsOfTheSame) {
  std::vector<Finding> findings;
  AddFinding(findings, SharedRace(7, 3, 10));
  AddFinding(findings, SharedRace(7, 3, 5));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count, 15U);
  EXPECT_EQ(findings[0].message, "thread 10");
}

// A line that reads what two other lines write races with both of them.
TEST(AddFinding, KeepsEachPairOfLines) {
  std::vector<Finding> findings;
  AddFinding(findings, SharedRace(7, 3, 1));
  AddFinding(findings, SharedRace(7, 4, 1));
  EXPECT_EQ(findings.size(), 2U);
}

TEST(AddFinding, GoesByTheTextWhereThePlaceIsUnknown) {
  std::vector<Finding> findings(1);
  findings[0].message = "a";
  Finding other = findings[0];
  AddFinding(findings, other);
  other.message = "b";
  AddFinding(findings, other);
  EXPECT_EQ(findings.size(), 2U);
}

}  // namespace
}  // namespace warpcheck
