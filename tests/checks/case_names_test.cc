#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/assignment.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

TEST(CaseNames, RemembersTheParametersThatItNames) {
  EXPECT_EQ(CaseNames()(testing::TestParamInfo<short>(7, 0)), "7");
  EXPECT_EQ(CaseNames("steps_of_")(testing::TestParamInfo<short>(9, 1)), "steps_of_9");
  EXPECT_THAT(AllCases<short>(), ElementsAre(testing::Pair("7", 7), testing::Pair("9", 9)));
}

}  // namespace
}  // namespace warpcheck
