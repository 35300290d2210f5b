#include "checks/promises.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "checks/random.h"

// Students would write it; it is not defined here.
void promised(const float* in, float* out, int n, int order);

namespace warpcheck {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DeviceArray<const float> ArrayOf(const std::vector<float>& values) {
  return {std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {values.size()}, BytesOf(values), true})};
}

class PromisesTest : public testing::Test {
 protected:
  PromisesTest() {
    using Types = promise_internal::TypesOf<decltype(&promised)>;
    promises_.Add(
        FunctionOf<&promised>().mangled, Types::Get(),
        {Reals("in", -8, 8), Output("out"), Integers("n", 1, 1000), OneOf("order", {2, 4})},
        {{{"n", "order"}, 2000}});
    promises_.Compare(true);
  }

  void Call(const std::vector<float>& in, int order, const std::string& name) {
    const DeviceArray<float> out{std::make_shared<ArrayStart>(
        ArrayStart{typeid(float), {1}, std::vector<std::byte>(4), false})};
    Plan plan = MakePlan<&promised>(ArrayOf(in), out, static_cast<int>(in.size()), order);
    plan.parameter_name = name;
    promises_.See(plan);
  }

  // Makes calls that have all that is promised.
  void CallWithAll() {
    Call({1}, 4, "one");
    Call(Random(1, "all").Floats(1000, -8, 8), 2, "many");
  }

  // Returns the problems of one promise, in the order of the parameters.
  std::vector<std::string> ProblemsOf(std::size_t promise) const {
    return promises_.Results()[promise].problems;
  }

  Promises promises_;
};

constexpr std::size_t kIn = 0;
constexpr std::size_t kN = 2;
constexpr std::size_t kOrder = 3;
constexpr std::size_t kProduct = 4;

TEST_F(PromisesTest, AreKeptByCallsThatHaveAll) {
  CallWithAll();
  for (const PromiseResult& result : promises_.Results()) {
    EXPECT_THAT(result.problems, IsEmpty()) << result.argument;
  }
}

TEST_F(PromisesTest, AreTheHandoutsWords) {
  std::vector<std::string> texts;
  for (const PromiseResult& result : promises_.Results()) {
    texts.push_back(result.argument + ": " + result.promise);
  }
  EXPECT_THAT(texts, ElementsAre("in: any number from -8 to 8, also 0 and -0",
                                 "out: ", "n: from 1 to 1,000", "order: one of 2, 4",
                                 "n * order: at most 2,000"));
}

TEST_F(PromisesTest, NoticeANarrowRange) {
  CallWithAll();
  Call(Random(1, "narrow").Floats(100, -1, 1), 2, "narrow");
  EXPECT_THAT(ProblemsOf(kIn), Contains("no call of the case narrow has numbers from 4 on"));
  EXPECT_THAT(ProblemsOf(kIn), Contains("no call of the case narrow has numbers of -4 or less"));
}

TEST_F(PromisesTest, NoticeAMissingSign) {
  CallWithAll();
  Call(Random(1, "positive").Floats(100, 0, 8), 2, "positive");
  EXPECT_THAT(ProblemsOf(kIn),
              Contains("no call of the case positive has large negative numbers with all digits"));
}

TEST_F(PromisesTest, NoticeFewDigitsOfOneCase) {
  CallWithAll();
  Call(Random(1, "few").Multiples(100, 1, -8, 8), 2, "few digits");
  EXPECT_THAT(
      ProblemsOf(kIn),
      ElementsAre("no call of the case few digits has large positive numbers with all digits",
                  "no call of the case few digits has large negative numbers with all digits"));
  // Another call of the same case has them.
  Call(Random(1, "more").Floats(100, -8, 8), 2, "few digits");
  EXPECT_THAT(ProblemsOf(kIn), IsEmpty());
}

TEST_F(PromisesTest, NoticeSizesBelowTheBound) {
  Call(Random(1, "all").Floats(900, -8, 8), 2, "many");
  EXPECT_THAT(ProblemsOf(kN),
              ElementsAre("no call has numbers of 125 or less", "no call has even and odd numbers",
                          "no call has the least one, 1; the least is 900",
                          "no call has the greatest one, 1,000; the greatest is 900"));
  EXPECT_THAT(ProblemsOf(kOrder), ElementsAre("no call has 4"));
  EXPECT_THAT(ProblemsOf(kProduct), IsEmpty());
}

TEST_F(PromisesTest, NoticeWhatTheyExclude) {
  CallWithAll();
  std::vector<float> in = Random(1, "all").Floats(1001, -8, 8);
  in[3] = 9;
  in[4] = std::numeric_limits<float>::quiet_NaN();
  in[5] = std::numeric_limits<float>::infinity();
  Call(in, 3, "too much");
  EXPECT_THAT(ProblemsOf(kIn), ElementsAre(HasSubstr("to 9, and fewer are promised"),
                                           "calls have infinities, which are not promised",
                                           "calls have NaN, which is not promised"));
  EXPECT_THAT(ProblemsOf(kN),
              ElementsAre("calls have numbers from 1 to 1,001, and fewer are promised"));
  EXPECT_THAT(ProblemsOf(kOrder), ElementsAre("a call has 3, which is not promised"));
  EXPECT_THAT(ProblemsOf(kProduct), ElementsAre("the largest one of all calls is 3,003"));
}

TEST_F(PromisesTest, NoticeAFunctionWithoutAny) {
  CallWithAll();
  Plan plan;
  plan.function = "other";
  promises_.See(plan);
  EXPECT_EQ(promises_.Results().back().argument, "other");
  EXPECT_THAT(promises_.Results().back().problems,
              ElementsAre(HasSubstr("nothing is promised of its arguments")));
}

}  // namespace
}  // namespace warpcheck
