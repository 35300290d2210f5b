#define WARPCHECK_ISA lane_math_test
#include "emulator/lanes/lane_math.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <functional>
#include <random>
#include <vector>

namespace warpcheck::emulator::lane_math_test {
namespace {

using ptx::Rounding;

std::uint32_t Bits(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }
float Float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

// Returns the largest distance from `exact`, in units of the last place of the f32 result.
double WorstUlps(const std::function<double(float)>& function,
                 const std::function<long double(long double)>& exact,
                 const std::vector<float>& inputs) {
  double worst = 0;
  for (const float x : inputs) {
    const long double want = exact(x);
    const auto got = static_cast<float>(function(x));
    if (std::isinf(got) && std::isinf(static_cast<float>(want))) continue;
    int exponent = 0;
    (void)std::frexp(want, &exponent);
    const long double ulp = std::ldexp(1.0L, std::max(exponent, -125) - 24);
    const double error = static_cast<double>(std::fabs((got - want) / ulp));
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

std::vector<float> Between(float low, float high, int count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values = {low, high};
  for (int i = 0; i < count; ++i) values.push_back(uniform(random));
  return values;
}
// Returns floats in which every exponent is equally likely.
std::vector<float> AnyMagnitude(bool negative_too, int count) {
  std::mt19937 random(11);
  std::vector<float> values;
  while (static_cast<int>(values.size()) < count) {
    const auto bits = static_cast<std::uint32_t>(random());
    const float value = Float(negative_too ? bits : bits & 0x7fffffff);
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

TEST(LaneMath, PowersAreWithinHalfAnUlp) {
  const auto exact = [](long double x) { return std::exp2(x); };
  EXPECT_LT(WorstUlps(Power, exact, Between(-1, 1, 200000)), 0.50001);
  EXPECT_LT(WorstUlps(Power, exact, Between(-150, 129, 200000)), 0.50001);
  EXPECT_LT(WorstUlps(Power, exact, AnyMagnitude(true, 100000)), 0.50001);
}
TEST(LaneMath, LogarithmsAreWithinHalfAnUlp) {
  const auto exact = [](long double x) { return std::log2(x); };
  EXPECT_LT(WorstUlps(Log2, exact, Between(0.5f, 2, 200000)), 0.50001);
  EXPECT_LT(WorstUlps(Log2, exact, Between(0.9999f, 1.0001f, 20000)), 0.50001);
  EXPECT_LT(WorstUlps(Log2, exact, AnyMagnitude(false, 200000)), 0.50001);
}
TEST(LaneMath, HyperbolicTangentsAreWithinHalfAnUlp) {
  const auto exact = [](long double x) { return std::tanh(x); };
  EXPECT_LT(WorstUlps(Tanh, exact, Between(-1, 1, 200000)), 0.50001);
  EXPECT_LT(WorstUlps(Tanh, exact, Between(-25, 25, 200000)), 0.50001);
  EXPECT_LT(WorstUlps(Tanh, exact, AnyMagnitude(true, 100000)), 0.50001);
}
TEST(LaneMath, SinesAndCosinesAreWithinHalfAnUlpEverywhere) {
  const auto sine = [](long double x) { return std::sin(x); };
  const auto cosine = [](long double x) { return std::cos(x); };
  const std::vector<float> sets[] = {Between(-4, 4, 200000),
                                     Between(-1e6f, 1e6f, 200000),
                                     Between(1e6f, 1e8f, 100000),
                                     AnyMagnitude(true, 200000),
                                     // the f32 that is nearest to a multiple of pi / 2
                                     {16367173.0f * 0x1p72f, 0x1.921fb6p+0f, 0x1.921fb6p+1f}};
  for (const auto& set : sets) {
    EXPECT_LT(WorstUlps(Sine, sine, set), 0.5001);
    EXPECT_LT(WorstUlps(Cosine, cosine, set), 0.5001);
  }
}
TEST(LaneMath, BothReductionsAgree) {
  for (const float x : Between(0x1p18f, 0x1p20f, 10000)) {
    const Angle near = Reduce(x);
    const Angle exact = ReduceExactly(x);
    ASSERT_EQ(near.quarter, exact.quarter) << x;
    ASSERT_NEAR(near.rest, exact.rest, 1e-15) << x;
  }
}
TEST(LaneMath, InverseRootsAreWithinHalfAnUlp) {
  const auto exact = [](long double x) { return 1 / std::sqrt(x); };
  EXPECT_LT(WorstUlps([](float x) { return InverseRoot(x); }, exact, AnyMagnitude(false, 200000)),
            0.50001);
}

TEST(LaneMath, SpecialValuesAreThoseOfTheTables) {
  EXPECT_EQ(Bits(Power(-kInf)), 0u);
  EXPECT_EQ(Bits(Power(kInf)), 0x7f800000u);
  EXPECT_EQ(Bits(Power(-0.0f)), 0x3f800000u);
  EXPECT_EQ(Bits(Power(-149)), 1u);
  EXPECT_EQ(Bits(Power(-151)), 0u);
  EXPECT_EQ(Bits(Power(128)), 0x7f800000u);
  EXPECT_TRUE(std::isnan(Power(kNan)));
  EXPECT_EQ(Log2(0.0), -kInfinity);
  EXPECT_EQ(Log2(-0.0), -kInfinity);
  EXPECT_EQ(Log2(kInf), kInfinity);
  EXPECT_EQ(Bits(Log2(1)), 0u);
  EXPECT_EQ(Log2(0x1p-149), -149);
  EXPECT_TRUE(std::isnan(Log2(-1)));
  EXPECT_TRUE(std::isnan(Log2(-kInf)));
  EXPECT_TRUE(std::isnan(Log2(kNan)));
  EXPECT_EQ(Bits(Tanh(-0.0f)), 0x80000000u);
  EXPECT_EQ(Bits(Tanh(kInf)), 0x3f800000u);
  EXPECT_EQ(Bits(Tanh(-kInf)), 0xbf800000u);
  EXPECT_EQ(Bits(Tanh(Float(1))), 1u);
  EXPECT_TRUE(std::isnan(Tanh(kNan)));
  EXPECT_EQ(Bits(Sine(-0.0f)), 0x80000000u);
  EXPECT_EQ(Bits(Sine(0.0f)), 0u);
  EXPECT_EQ(Bits(Sine(Float(0x80000001))), 0x80000001u);
  EXPECT_EQ(Bits(Cosine(-0.0f)), 0x3f800000u);
  EXPECT_TRUE(std::isnan(Sine(kInf)));
  EXPECT_TRUE(std::isnan(Cosine(-kInf)));
  EXPECT_TRUE(std::isnan(Cosine(kNan)));
  EXPECT_EQ(InverseRoot(-0.0), -kInfinity);
  EXPECT_EQ(InverseRoot(kInfinity), 0.0);
  EXPECT_TRUE(std::isnan(InverseRoot(-1)));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(CanonicalNan(-kNan)), 0x7fffffffu);
}

TEST(LaneMath, GrossFunctionsUseTheUpperHalfOnly) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  EXPECT_EQ(GrossReciprocal(4.0), 0.25);
  EXPECT_EQ(bits(GrossReciprocal(3.0)), 0x3fd5555500000000u);
  EXPECT_EQ(bits(GrossReciprocal(std::bit_cast<double>(0x40080000ffffffffu))), 0x3fd5555500000000u);
  EXPECT_EQ(GrossReciprocal(0x1p-1030), kInfinity);
  EXPECT_EQ(GrossReciprocal(-0x1p-1030), -kInfinity);
  EXPECT_EQ(bits(GrossReciprocal(-0x1p1023)), 0x8000000000000000u);
  EXPECT_EQ(GrossReciprocal(kInfinity), 0);
  EXPECT_TRUE(std::isnan(GrossReciprocal(kNan)));
  EXPECT_EQ(GrossInverseRoot(16.0), 0.25);
  EXPECT_EQ(GrossInverseRoot(-0.0), -kInfinity);
  EXPECT_TRUE(std::isnan(GrossInverseRoot(-1.0)));
}

constexpr std::pair<Rounding, int> kRoundings[] = {{Rounding::kRn, FE_TONEAREST},
                                                   {Rounding::kRz, FE_TOWARDZERO},
                                                   {Rounding::kRm, FE_DOWNWARD},
                                                   {Rounding::kRp, FE_UPWARD}};

// Returns the result of the processor itself in a rounding mode.
template <class T, class F>
T WithMode(int mode, F f) {
  std::fesetround(mode);
  const volatile T result = f();
  std::fesetround(FE_TONEAREST);
  return result;
}
template <class T>
void ExpectSame(T got, T want, T a, T b, int mode) {
  using B = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (std::isnan(want)) {
    ASSERT_TRUE(std::isnan(got)) << a << " " << b << " mode " << mode;
  } else {
    ASSERT_EQ(std::bit_cast<B>(got), std::bit_cast<B>(want)) << a << " " << b << " mode " << mode;
  }
}

TEST(LaneMath, RoundedFormsAreThoseOfTheProcessor) {
  std::mt19937_64 random(5);
  std::vector<double> values = {0.0,        -0.0,      1.0,         -3.0,     kInfinity,
                                -kInfinity, 0x1p-1074, 0x1.8p-1030, 0x1p1023, -0x1.fp1023,
                                0x1p-1022,  4.0,       kNan};
  for (int i = 0; i < 50000; ++i) values.push_back(std::bit_cast<double>(random()));
  for (int i = 0; i < 50000; ++i) values.push_back(static_cast<double>(random() >> 44));
  for (const auto& [rounding, mode] : kRoundings) {
    for (const double value : values) {
      const volatile double x = value;
      ExpectSame<double>(ReciprocalRounded(x, rounding),
                         WithMode<double>(mode, [&] { return 1.0 / x; }), x, 0, mode);
      ExpectSame<double>(SquareRootRounded(x, rounding),
                         WithMode<double>(mode, [&] { return std::sqrt(x); }), x, 0, mode);
    }
  }
}
TEST(LaneMath, RoundedFormsOfF32AreThoseOfTheProcessor) {
  std::mt19937 random(6);
  for (int i = 0; i < 100000; ++i) {
    const volatile float x = Float(static_cast<std::uint32_t>(random()));
    for (const auto& [rounding, mode] : kRoundings) {
      ExpectSame<float>(ReciprocalRounded(x, rounding),
                        WithMode<float>(mode, [&] { return 1.0f / x; }), x, 0, mode);
      ExpectSame<float>(SquareRootRounded(x, rounding),
                        WithMode<float>(mode, [&] { return std::sqrt(x); }), x, 0, mode);
    }
  }
}

}  // namespace
}  // namespace warpcheck::emulator::lane_math_test
