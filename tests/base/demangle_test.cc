#include "base/demangle.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

TEST(Demangle, GivesNamesAsTheyAreWritten) {
  EXPECT_EQ(Demangle("_Z9transposePKfPfii"), "transpose(float const*, float*, int, int)");
  EXPECT_EQ(Demangle("transpose"), "transpose");
  EXPECT_EQ(Demangle("_Znonsense"), "_Znonsense");
}

TEST(Demangle, LeavesNamesThatLookLikeTypes) {
  EXPECT_EQ(Demangle("i"), "i");
  EXPECT_EQ(Demangle("f"), "f");
}

}  // namespace
}  // namespace warpcheck
