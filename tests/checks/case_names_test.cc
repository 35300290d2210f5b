#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "checks/assignment.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;

TEST(CaseNames, RemembersTheParametersThatItNames) {
  EXPECT_EQ(CaseNames()(testing::TestParamInfo<short>(7, 0)), "7");
  EXPECT_EQ(CaseNames("steps_of_")(testing::TestParamInfo<short>(9, 1)), "steps_of_9");
  EXPECT_THAT(AllCases<short>(), ElementsAre(testing::Pair("7", 7), testing::Pair("9", 9)));
}

struct Exposed : Assignment {
  using Assignment::SharesTrials;
};

Plan PlanOf(std::string function) {
  Plan plan;
  plan.function = std::move(function);
  return plan;
}

// A fixture of the same parameter type that calls another function does not judge the trials of the
// first one.
TEST(SharesTrials, OnlyWithASuiteThatPlansTheSameCall) {
  int asked = 0;
  const auto plans = [&](const char* function) {
    return [&asked, function] {
      ++asked;
      return PlanOf(function);
    };
  };
  const auto shares = [](const std::string& key, bool made, const std::function<Plan()>& plan) {
    return Exposed::SharesTrials(key, made, PlanOf("scan"), plan);
  };
  EXPECT_TRUE(shares("int 7 0", false, plans("scan")));
  EXPECT_FALSE(shares("int 8 0", false, plans("reduce")));
  // The suite plans once for each key.
  EXPECT_FALSE(shares("int 8 0", false, plans("scan")));
  EXPECT_EQ(asked, 2);
  // A suite that has run its trials does not plan them a second time.
  EXPECT_TRUE(shares("int 9 0", true, plans("reduce")));
  EXPECT_TRUE(shares("int 9 0", false, plans("reduce")));
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace warpcheck
