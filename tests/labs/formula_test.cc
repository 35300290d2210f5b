#include "lab/formula.h"

#include <gmock/gmock.h>

namespace warpcheck::lab {
namespace {

std::optional<double> Value(std::string_view text, Division division = Division::kWhole) {
  const auto formula = Formula::Parse(text);
  EXPECT_TRUE(formula) << text;
  if (!formula) return std::nullopt;
  return formula->ValueFor({{"n", 10.0}, {"zero", 0.0}, {"time_us", std::nullopt}}, division);
}

TEST(Formula, ComputesSizes) {
  EXPECT_EQ(Value("1 + 2 * 3 - 4"), 3);
  EXPECT_EQ(Value("(1 + 2) * 3"), 9);
  EXPECT_EQ(Value("10 - 4 - 3"), 3);
  EXPECT_EQ(Value("n / 4"), 2);
  EXPECT_EQ(Value("n % 4"), 2);
  EXPECT_EQ(Value("-n + 1"), -9);
  EXPECT_EQ(Value("ceil(n, 4) + min(n, 3) + max(2, n)"), 16);
}

TEST(Formula, ComputesRatios) { EXPECT_EQ(Value("n / 4", Division::kReal), 2.5); }

TEST(Formula, HasNoValueWithoutItsNames) {
  EXPECT_EQ(Value("n / time_us"), std::nullopt);
  EXPECT_EQ(Value("other"), std::nullopt);
  EXPECT_EQ(Value("n / zero"), std::nullopt);
  EXPECT_EQ(Value("n % zero"), std::nullopt);
}

TEST(Formula, SaysWhereItIsWrong) {
  const auto error = [](std::string_view text) {
    const auto formula = Formula::Parse(text);
    return formula ? std::string("none") : formula.error().message;
  };
  EXPECT_EQ(error("n + * 2"), "\"n + * 2\" is no formula: it is wrong at \"* 2\"");
  EXPECT_EQ(error("(n"), "\"(n\" is no formula: it is wrong at its end");
  EXPECT_EQ(error("n 2"), "\"n 2\" is no formula: it is wrong at \"2\"");
  EXPECT_EQ(error("sin(n, 1)"), "\"sin(n, 1)\" is no formula: it is wrong at \"sin(n, 1)\"");
  EXPECT_EQ(error(""), "\"\" is no formula: it is wrong at its end");
  EXPECT_NE(error(std::string(1000, '(')), "none");
}

}  // namespace
}  // namespace warpcheck::lab
