#include "trial/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trial/trial.h"

// Students would write these functions. They are not defined here.
void planned_function(const float* in, float* out, int rows, bool flag, const double* table);
void repeating(const float*, const float*, float*, float* const*, const float* const*);
void without_parameters();
void reads(const float*, int);
void on_host(const double*, double*, double*);
void reads_too(const float*, int);
extern "C" void of_c(const float*);

struct Pixel {
  unsigned char red, green, blue;
};
struct Place {
  double x;
  float y, z;
};
struct Window {
  Pixel colour;
  float width;
  short rows;
};
struct Kernel3 {
  float weights[3][3];
};
enum class Edge : short { kClamp, kWrap };
void drawn(Pixel, Place, Window, Kernel3, Edge, short, unsigned char, unsigned long long);
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

TEST(Plan, GetsBackArraysInHostMemoryThatTheCallMayWrite) {
  const Plan plan =
      MakePlan<&on_host>(HostArray<double>{{1}}, Pinned<double>({2, 3}), Managed<double>({4}));
  const auto passed = [&](std::size_t i) {
    return std::get<remote::HostArray>(std::get<remote::Argument>(plan.arguments[i]));
  };
  EXPECT_FALSE(passed(0).comes_back);
  EXPECT_TRUE(passed(1).comes_back);
  EXPECT_EQ(passed(1).memory, remote::HostArray::Memory::kPinned);
  EXPECT_EQ(passed(1).bytes.size(), 16U);
  EXPECT_EQ(passed(2).memory, remote::HostArray::Memory::kManaged);
}

TEST(Plan, TakesNumbersOfEveryWidthAndStructs) {
  Trial trial;
  trial.plan = std::make_shared<const Plan>(MakePlan<&drawn>(
      Pixel{1, 2, 3}, Place{1, 2, 3}, Window{{4, 5, 6}, 7, 8},
      Kernel3{{{0, 0, 0}, {0, 1, 0}, {0, 0, 2}}}, Edge::kWrap, -5, 250, 1ULL << 40U));
  EXPECT_EQ(trial.plan->function, "_Z5drawn5Pixel5Place6Window7Kernel34Edgeshy");
  EXPECT_EQ(trial.Number<short>(0), 1);
  EXPECT_EQ(trial.Number<short>(1), -5);
  EXPECT_EQ(trial.Number<unsigned char>(), 250);
  EXPECT_EQ(trial.Number<unsigned long long>(), 1ULL << 40U);
  EXPECT_EQ(trial.Struct<Pixel>().blue, 3);
  EXPECT_EQ(trial.Struct<Kernel3>().weights[2][2], 2);
  const auto passed = [&](std::size_t i) {
    return std::get<remote::StructValue>(std::get<remote::Argument>(trial.plan->arguments[i]));
  };
  const auto in_float_registers = [&](std::size_t i) {
    return std::pair(passed(i).first_in_float_register, passed(i).second_in_float_register);
  };
  EXPECT_EQ(in_float_registers(0), std::pair(false, false));
  EXPECT_EQ(in_float_registers(1), std::pair(true, true));
  EXPECT_EQ(in_float_registers(2), std::pair(false, false));
  EXPECT_EQ(in_float_registers(3), std::pair(false, false));
  EXPECT_EQ(passed(1).alignment, 8U);
  EXPECT_EQ(passed(3).bytes.size(), 36U);
}

TEST(Plan, NamesAFunctionThatIsOnlyDeclared) {
  EXPECT_EQ(FunctionOf<&repeating>().mangled, "_Z9repeatingPKfS0_PfPKS1_PKS0_");
  EXPECT_EQ(FunctionOf<&without_parameters>().mangled, "_Z18without_parametersv");
  EXPECT_EQ(FunctionOf<&of_c>().mangled, "of_c");
  EXPECT_DEATH((void)FunctionOf<&course::inside>(), "be in no namespace");
}

TEST(Plan, IsTheSameCallForTheSameFunctionAndData) {
  const auto array = [](std::byte value) {
    return DeviceArray<const float>{std::make_shared<ArrayStart>(
        ArrayStart{typeid(float), {1}, std::vector<std::byte>(4, value), true})};
  };
  const Plan plan = MakePlan<&reads>(array(std::byte{1}), 3);
  EXPECT_TRUE(SameCall(plan, MakePlan<&reads>(array(std::byte{1}), 3)));
  EXPECT_FALSE(SameCall(plan, MakePlan<&reads_too>(array(std::byte{1}), 3)));
  EXPECT_FALSE(SameCall(plan, MakePlan<&reads>(array(std::byte{2}), 3)));
  EXPECT_FALSE(SameCall(plan, MakePlan<&reads>(array(std::byte{1}), 4)));
}

}  // namespace
}  // namespace warpcheck
