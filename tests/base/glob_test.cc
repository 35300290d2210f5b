#include "base/text/glob.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

TEST(Filter, MatchesAsGtestDoes) {
  EXPECT_TRUE(FilterMatches("*.Right/*", "Shapes/T.Right/1x1"));
  EXPECT_FALSE(FilterMatches("*.Right/*", "Shapes/T.Fast/1x1"));
  EXPECT_TRUE(FilterMatches("A.?:B.*", "B.long"));
  EXPECT_FALSE(FilterMatches("*-*.Fast", "T.Fast"));
}

}  // namespace
}  // namespace warpcheck
