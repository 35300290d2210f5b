#include "checks/failures/numbers.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "base/text/demangle.h"

namespace warpcheck {
namespace {

TEST(Numbers, GroupsThousands) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1'234'567), "1,234,567");
  EXPECT_EQ(Counted(1, "byte"), "1 byte");
  EXPECT_EQ(Counted(2000, "byte"), "2,000 bytes");
}

TEST(Numbers, WritesRatiosShortly) {
  EXPECT_EQ(Ratio(0.125), "0.125");
  EXPECT_EQ(Ratio(32), "32.0");
  EXPECT_EQ(Ratio(31.5), "31.5");
  EXPECT_EQ(Ratio(0.0001), "0.0");
}

TEST(Numbers, DemanglesNames) {
  EXPECT_EQ(DemangleType("_Z9transposePKfPfii"), "transpose(float const*, float*, int, int)");
  EXPECT_EQ(DemangleType("main"), "main");
}

}  // namespace
}  // namespace warpcheck
