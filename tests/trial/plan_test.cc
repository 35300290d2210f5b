#include "trial/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Students would write these functions. They are not defined here.
void planned_function(const float* in, float* out, int rows, bool flag, const double* table);
void repeating(const float*, const float*, float*, float* const*, const float* const*);
void without_parameters();
extern "C" void of_c(const float*);
namespace course {
void inside(float*);
}

namespace warpcheck {
namespace {

using testing::ElementsAre;

TEST(Plan, KeepsTheCall) {
  const DeviceArray<const float> in{std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {1}, std::vector<std::byte>(4), true})};
  const DeviceArray<float> out{std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {1}, std::vector<std::byte>(4), false})};
  const Plan plan = MakePlan<&planned_function>(in, out, 3, true, HostArray<double>{{0.0, 0.25}});
  EXPECT_EQ(plan.function, "_Z16planned_functionPKfPfibPKd");
  EXPECT_THAT(plan.arrays, ElementsAre(in.start, out.start));
  ASSERT_EQ(plan.arguments.size(), 5u);
  EXPECT_EQ(std::get<Plan::ArrayIndex>(plan.arguments[1]), 1u);
  EXPECT_EQ(std::get<std::int32_t>(std::get<remote::Argument>(plan.arguments[2])), 3);
  EXPECT_EQ(std::get<bool>(std::get<remote::Argument>(plan.arguments[3])), true);
  EXPECT_EQ(std::get<remote::HostArray>(std::get<remote::Argument>(plan.arguments[4])).bytes.size(),
            16u);
}

TEST(Plan, NamesAFunctionThatIsOnlyDeclared) {
  EXPECT_EQ(FunctionOf<&repeating>().mangled, "_Z9repeatingPKfS0_PfPKS1_PKS0_");
  EXPECT_EQ(FunctionOf<&without_parameters>().mangled, "_Z18without_parametersv");
  EXPECT_EQ(FunctionOf<&of_c>().mangled, "of_c");
  EXPECT_DEATH((void)FunctionOf<&course::inside>(), "be in no namespace");
}

}  // namespace
}  // namespace warpcheck
