#include "base/text.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

TEST(Trimmed, LeavesWhatStandsWithin) {
  EXPECT_EQ(Trimmed(" \t a  b\r\n"), "a  b");
  EXPECT_EQ(Trimmed("a"), "a");
  EXPECT_EQ(Trimmed(" \n"), "");
  EXPECT_EQ(Trimmed(""), "");
}

TEST(Grouped, SetsThreeDigitsApart) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(8'388'608), "8,388,608");
}

TEST(Counted, SaysHowManyThereAre) {
  EXPECT_EQ(Counted(1, "element"), "1 element");
  EXPECT_EQ(Counted(2048, "element"), "2,048 elements");
  EXPECT_EQ(Counted(0, "launch"), "0 launches");
  EXPECT_EQ(Counted(1, "access"), "1 access");
  EXPECT_EQ(Counted(2, "access"), "2 accesses");
}

}  // namespace
}  // namespace warpcheck
