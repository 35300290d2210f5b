#define WARPCHECK_ISA lane_convert_test
#include "emulator/lanes/lane_convert.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <random>
#include <vector>

namespace warpcheck::emulator::lane_convert_test {
namespace {

using ptx::Rounding;
using ptx::Type;

struct Options {
  bool ftz = false;
  bool sat = false;
  bool relu = false;
};

std::uint64_t Cvt(Type to, Type from, Rounding rounding, std::uint64_t bits, Options options = {}) {
  const Conversion how{to, from, rounding, options.ftz, options.sat, options.relu, 8, 8};
  return Convert(how, bits);
}
template <class T>
std::uint64_t Bits(T value) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
  if constexpr (sizeof(T) == 8) return std::bit_cast<std::uint64_t>(value);
  if constexpr (sizeof(T) < 4) return static_cast<std::make_unsigned_t<T>>(value);
}
template <class T>
constexpr Type kTypeOf = Type::kNone;
template <>
constexpr Type kTypeOf<float> = Type::kF32;
template <>
constexpr Type kTypeOf<double> = Type::kF64;
template <>
constexpr Type kTypeOf<std::uint8_t> = Type::kU8;
template <>
constexpr Type kTypeOf<std::int8_t> = Type::kS8;
template <>
constexpr Type kTypeOf<std::uint16_t> = Type::kU16;
template <>
constexpr Type kTypeOf<std::int16_t> = Type::kS16;
template <>
constexpr Type kTypeOf<std::uint32_t> = Type::kU32;
template <>
constexpr Type kTypeOf<std::int32_t> = Type::kS32;
template <>
constexpr Type kTypeOf<std::uint64_t> = Type::kU64;
template <>
constexpr Type kTypeOf<std::int64_t> = Type::kS64;

struct Mode {
  Rounding to_float, to_integral;
  int mode;
};
constexpr Mode kModes[] = {{Rounding::kRn, Rounding::kRni, FE_TONEAREST},
                           {Rounding::kRz, Rounding::kRzi, FE_TOWARDZERO},
                           {Rounding::kRm, Rounding::kRmi, FE_DOWNWARD},
                           {Rounding::kRp, Rounding::kRpi, FE_UPWARD}};

template <class T, class F>
T WithMode(int mode, F f) {
  std::fesetround(mode);
  const volatile T result = f();
  std::fesetround(FE_TONEAREST);
  return result;
}

// Returns bits of every magnitude, and those around the limits of every width.
std::vector<std::uint64_t> Patterns() {
  std::vector<std::uint64_t> patterns;
  for (int bit = 0; bit < 64; ++bit) {
    for (std::uint64_t add :
         {~std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{1}}) {
      patterns.push_back((std::uint64_t{1} << bit) + add);
      patterns.push_back(~((std::uint64_t{1} << bit) + add));
    }
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) patterns.push_back(random() >> (random() % 64));
  return patterns;
}

// Returns floats of every kind, and those around the limits of the integers.
template <class F>
std::vector<F> Floats() {
  std::vector<F> values = {F{0}, -F{0}};
  for (int bit = -10; bit < 70; ++bit) {
    const F power = std::ldexp(F{1}, bit);
    for (const F value : {power, power - F(0.5), power + F(0.5), power * F(1.5),
                          std::nextafter(power, F{0}), std::nextafter(power, 2 * power)}) {
      values.push_back(value);
      values.push_back(-value);
    }
  }
  std::mt19937_64 random(4);
  for (int i = 0; i < 30000; ++i) {
    F value = 0;
    if constexpr (sizeof(F) == 4) {
      value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    } else {
      value = std::bit_cast<double>(random());
    }
    if (value == value) values.push_back(value);
    values.push_back(static_cast<F>(static_cast<double>(random() % 2000000) / 8 - 100000));
  }
  values.push_back(std::numeric_limits<F>::infinity());
  values.push_back(-std::numeric_limits<F>::infinity());
  return values;
}

template <class To, class From>
void CheckIntegers() {
  for (const std::uint64_t pattern : Patterns()) {
    const auto from = static_cast<From>(pattern);
    const auto wrapped = static_cast<To>(from);
    const __int128 low = std::numeric_limits<To>::min();
    const __int128 high = std::numeric_limits<To>::max();
    const __int128 exact = from;
    const auto clamped = static_cast<To>(exact < low ? low : exact > high ? high : exact);
    // The value is extended from its type to the 64-bit register.
    const auto extended = [](To value) {
      return std::is_signed_v<To> ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                  : static_cast<std::uint64_t>(value);
    };
    ASSERT_EQ(Cvt(kTypeOf<To>, kTypeOf<From>, Rounding::kNone, pattern), extended(wrapped))
        << ptx::Text(kTypeOf<To>) << "." << ptx::Text(kTypeOf<From>) << " " << pattern;
    ASSERT_EQ(Cvt(kTypeOf<To>, kTypeOf<From>, Rounding::kNone, pattern, {.sat = true}),
              extended(clamped))
        << "sat " << ptx::Text(kTypeOf<To>) << "." << ptx::Text(kTypeOf<From>) << " " << pattern;
  }
}
template <class From, class... To>
void CheckIntegersFrom() {
  (CheckIntegers<To, From>(), ...);
}
template <class... T>
void CheckAllIntegers() {
  (CheckIntegersFrom<T, T...>(), ...);
}
TEST(LaneConvert, IntegersWrapOrSaturateAndExtend) {
  CheckAllIntegers<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                   std::int32_t, std::uint64_t, std::int64_t>();
}

template <class F, class I>
void CheckIntegerToFloat() {
  for (const std::uint64_t pattern : Patterns()) {
    const volatile I from = static_cast<I>(pattern);
    for (const Mode& mode : kModes) {
      // Every integer is exact as a long double, whose conversions obey the rounding mode.
      const volatile long double exact = from;
      const F want = WithMode<F>(mode.mode, [&] { return static_cast<F>(exact); });
      ASSERT_EQ(Cvt(kTypeOf<F>, kTypeOf<I>, mode.to_float, pattern), Bits(want))
          << ptx::Text(kTypeOf<I>) << " " << +from << " mode " << mode.mode;
    }
    const F saturated = from < 0 ? F{0} : from > 1 ? F{1} : static_cast<F>(from);
    ASSERT_EQ(Cvt(kTypeOf<F>, kTypeOf<I>, Rounding::kRn, pattern, {.sat = true}), Bits(saturated));
  }
}
template <class... I>
void CheckIntegersToFloats() {
  (CheckIntegerToFloat<float, I>(), ...);
  (CheckIntegerToFloat<double, I>(), ...);
}
TEST(LaneConvert, IntegersToFloatsInEveryRounding) {
  CheckIntegersToFloats<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                        std::int32_t, std::uint64_t, std::int64_t>();
}

template <class I, Rounding rounding, class F>
void CheckPlainToInteger(F value, I want) {
  if constexpr (sizeof(I) >= 4) {
    const I got = ToInteger<I, rounding>(value);
    ASSERT_EQ(got, want) << value << " rounding " << static_cast<int>(rounding);
  }
}
template <class I, class F>
void CheckFloatToInteger() {
  for (const F value : Floats<F>()) {
    for (const Mode& mode : kModes) {
      const volatile long double exact = value;
      const long double whole = WithMode<long double>(mode.mode, [&] { return std::rint(exact); });
      const long double low = std::numeric_limits<I>::min();
      const long double high = std::numeric_limits<I>::max();
      const I want = whole <= low    ? std::numeric_limits<I>::min()
                     : whole >= high ? std::numeric_limits<I>::max()
                                     : static_cast<I>(whole);
      const auto got = static_cast<I>(Cvt(kTypeOf<I>, kTypeOf<F>, mode.to_integral, Bits(value)));
      ASSERT_EQ(+got, +want) << value << " to " << ptx::Text(kTypeOf<I>) << " mode " << mode.mode;
      switch (mode.to_integral) {
        case Rounding::kRni:
          CheckPlainToInteger<I, Rounding::kRni>(value, want);
          break;
        case Rounding::kRzi:
          CheckPlainToInteger<I, Rounding::kRzi>(value, want);
          break;
        case Rounding::kRmi:
          CheckPlainToInteger<I, Rounding::kRmi>(value, want);
          break;
        default:
          CheckPlainToInteger<I, Rounding::kRpi>(value, want);
          break;
      }
    }
  }
}
template <class... I>
void CheckFloatsToIntegers() {
  (CheckFloatToInteger<I, float>(), ...);
  (CheckFloatToInteger<I, double>(), ...);
}
TEST(LaneConvert, FloatsToIntegersClampInEveryRounding) {
  CheckFloatsToIntegers<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                        std::int32_t, std::uint64_t, std::int64_t>();
}

TEST(LaneConvert, NanAsAnInteger) {
  const std::uint64_t single = 0x7fc00000;
  const std::uint64_t twice = 0xfff8000000000000;
  EXPECT_EQ(Cvt(Type::kS32, Type::kF32, Rounding::kRzi, single), 0u);
  EXPECT_EQ(Cvt(Type::kU8, Type::kF32, Rounding::kRzi, single), 0u);
  EXPECT_EQ(Cvt(Type::kS16, Type::kF16, Rounding::kRzi, 0x7e00), 0u);
  EXPECT_EQ(Cvt(Type::kS64, Type::kF32, Rounding::kRzi, single), 0x8000000000000000u);
  EXPECT_EQ(Cvt(Type::kU64, Type::kF32, Rounding::kRzi, single), 0x8000000000000000u);
  EXPECT_EQ(Cvt(Type::kU32, Type::kF64, Rounding::kRzi, twice), 0x80000000u);
  EXPECT_EQ(Cvt(Type::kS32, Type::kF64, Rounding::kRzi, twice), 0xffffffff80000000u);
  const float nan = std::bit_cast<float>(0x7fc00000u);
  EXPECT_EQ((ToInteger<std::int32_t, Rounding::kRzi>(nan)), 0);
  EXPECT_EQ((ToInteger<std::uint32_t, Rounding::kRni>(double{nan})), 0x80000000u);
  EXPECT_EQ((ToInteger<std::int64_t, Rounding::kRzi>(nan)),
            std::numeric_limits<std::int64_t>::min());
}

TEST(LaneConvert, DoublesToSingleInEveryRounding) {
  for (const double value : Floats<double>()) {
    for (const Mode& mode : kModes) {
      const volatile double from = value;
      const auto want = WithMode<float>(mode.mode, [&] { return static_cast<float>(from); });
      ASSERT_EQ(Cvt(Type::kF32, Type::kF64, mode.to_float, Bits(value)), Bits(want)) << value;
      ASSERT_EQ(Bits(RoundToFloat(value, mode.to_float)), Bits(want)) << value;
      const bool subnormal = std::fpclassify(want) == FP_SUBNORMAL;
      ASSERT_EQ(Cvt(Type::kF32, Type::kF64, mode.to_float, Bits(value), {.ftz = true}),
                Bits(subnormal ? std::copysign(0.0f, want) : want));
    }
  }
  for (const float value : Floats<float>()) {
    ASSERT_EQ(Cvt(Type::kF64, Type::kF32, Rounding::kNone, Bits(value)), Bits(double{value}));
    ASSERT_EQ(Cvt(Type::kF64, Type::kF32, Rounding::kNone, Bits(value), {.ftz = true}),
              Bits(double{FlushSubnormal(value)}));
  }
}

template <class F>
void CheckIntegral() {
  for (const F value : Floats<F>()) {
    for (const Mode& mode : kModes) {
      // The computation uses long double, because the compiler's own rint for F assumes rounding to
      // nearest.
      const volatile long double from = value;
      const long double whole = WithMode<long double>(mode.mode, [&] { return std::rint(from); });
      const F want = std::copysign(static_cast<F>(whole), value);
      ASSERT_EQ(Cvt(kTypeOf<F>, kTypeOf<F>, mode.to_integral, Bits(value)), Bits(want)) << value;
    }
    ASSERT_EQ(Bits(ToIntegral<Rounding::kRni>(value)),
              Cvt(kTypeOf<F>, kTypeOf<F>, Rounding::kRni, Bits(value)));
    ASSERT_EQ(Bits(ToIntegral<Rounding::kRpi>(value)),
              Cvt(kTypeOf<F>, kTypeOf<F>, Rounding::kRpi, Bits(value)));
  }
}
TEST(LaneConvert, RoundsToIntegralFloats) {
  CheckIntegral<float>();
  CheckIntegral<double>();
}

TEST(LaneConvert, EveryHalfAndBack) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const bool nan = (bits & 0x7fff) > 0x7c00;
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double magnitude =
        exponent == 31  ? static_cast<double>(INFINITY)
        : exponent == 0 ? std::ldexp(static_cast<double>(bits & 0x3ff), -24)
                        : std::ldexp(1024.0 + static_cast<double>(bits & 0x3ff), exponent - 25);
    const auto value = static_cast<float>((bits & 0x8000) != 0 ? -magnitude : magnitude);
    const std::uint64_t want = nan ? kNan32 : Bits(value);
    ASSERT_EQ(Bits(HalfToFloat(half)), want) << bits;
    ASSERT_EQ(Cvt(Type::kF32, Type::kF16, Rounding::kNone, bits), want) << bits;
    ASSERT_EQ(FloatToHalf(std::bit_cast<float>(static_cast<std::uint32_t>(want))),
              nan ? kNan16 : bits);
    const std::uint32_t brain = bits << 16;
    const bool brain_nan = (brain & 0x7fffffff) > 0x7f800000;
    ASSERT_EQ(Bits(BrainToFloat(half)), brain_nan ? kNan32 : brain);
    ASSERT_EQ(Cvt(Type::kF32, Type::kBf16, Rounding::kNone, bits), brain_nan ? kNan32 : brain);
    ASSERT_EQ(FloatToBrain(std::bit_cast<float>(brain)), brain_nan ? kNan16 : bits);
  }
}

// Checks values between any two neighbours: just above and below each of them, just above and below
// the middle, and the middle itself.
void CheckNarrowing(Type type, std::uint32_t infinity, std::uint16_t (*plain)(float)) {
  const auto widened = [type](std::uint32_t bits) {
    return double{std::bit_cast<float>(
        static_cast<std::uint32_t>(Cvt(Type::kF32, type, Rounding::kNone, bits)))};
  };
  for (std::uint32_t bits = 0; bits + 1 < infinity; ++bits) {
    const double low = widened(bits);
    const double high = widened(bits + 1);
    const double middle = low + (high - low) / 2;
    const double below = std::nextafter(static_cast<float>(middle), 0.0f);
    const double above = std::nextafter(static_cast<float>(middle), INFINITY);
    for (const double value : {below, middle, above}) {
      const bool fits = double{static_cast<float>(value)} == value;
      if (!fits || value <= low || value >= high) continue;
      const auto single = static_cast<float>(value);
      const bool up = value > middle || (value == middle && (bits & 1) != 0);
      const std::uint32_t nearest = bits + (up ? 1 : 0);
      ASSERT_EQ(plain(single), nearest) << value;
      ASSERT_EQ(plain(-single), nearest | 0x8000) << value;
      const auto cvt = [&](Rounding rounding, float from) {
        return Cvt(type, Type::kF32, rounding, Bits(from));
      };
      ASSERT_EQ(cvt(Rounding::kRn, single), nearest) << value;
      ASSERT_EQ(Cvt(type, Type::kF64, Rounding::kRn, Bits(value)), nearest) << value;
      ASSERT_EQ(cvt(Rounding::kRz, -single), bits | 0x8000) << value;
      ASSERT_EQ(cvt(Rounding::kRm, single), bits) << value;
      ASSERT_EQ(cvt(Rounding::kRm, -single), (bits + 1) | 0x8000) << value;
      ASSERT_EQ(cvt(Rounding::kRp, single), bits + 1) << value;
    }
  }
}
TEST(LaneConvert, NarrowsToHalfBetweenAllNeighbours) {
  CheckNarrowing(Type::kF16, 0x7c00, &FloatToHalf);
}
TEST(LaneConvert, NarrowsToBrainBetweenAllNeighbours) {
  CheckNarrowing(Type::kBf16, 0x7f80, &FloatToBrain);
}
TEST(LaneConvert, PlainNarrowingAgreesOnAnyBits) {
  std::mt19937 random(8);
  for (int i = 0; i < 1000000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const auto value = std::bit_cast<float>(bits);
    ASSERT_EQ(FloatToHalf(value), Cvt(Type::kF16, Type::kF32, Rounding::kRn, bits)) << bits;
    ASSERT_EQ(FloatToBrain(value), Cvt(Type::kBf16, Type::kF32, Rounding::kRn, bits)) << bits;
  }
}

TEST(LaneConvert, OverflowGoesWhereTheRoundingSays) {
  const auto half = [](Rounding rounding, float value) {
    return Cvt(Type::kF16, Type::kF32, rounding, Bits(value));
  };
  EXPECT_EQ(half(Rounding::kRn, 65519.0f), 0x7bffu);
  EXPECT_EQ(half(Rounding::kRn, 65520.0f), 0x7c00u);
  EXPECT_EQ(half(Rounding::kRz, 1e30f), 0x7bffu);
  EXPECT_EQ(half(Rounding::kRm, 1e30f), 0x7bffu);
  EXPECT_EQ(half(Rounding::kRp, 1e30f), 0x7c00u);
  EXPECT_EQ(half(Rounding::kRp, -1e30f), 0xfbffu);
  EXPECT_EQ(half(Rounding::kRm, -1e30f), 0xfc00u);
  EXPECT_EQ(half(Rounding::kRz, INFINITY), 0x7c00u);
  EXPECT_EQ(FloatToHalf(65519.0f), 0x7bff);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7c00);
}

TEST(LaneConvert, Tf32RoundsTheLowThirteenBitsAway) {
  const auto tf32 = [](Rounding rounding, std::uint32_t bits, Options options = {}) {
    return Cvt(Type::kTf32, Type::kF32, rounding, bits, options);
  };
  EXPECT_EQ(tf32(Rounding::kRna, 0x3f800fff), 0x3f800000u);
  EXPECT_EQ(tf32(Rounding::kRna, 0x3f801000), 0x3f802000u);
  EXPECT_EQ(tf32(Rounding::kRna, 0xbf801000), 0xbf802000u);
  EXPECT_EQ(tf32(Rounding::kRn, 0x3f801000), 0x3f800000u);
  EXPECT_EQ(tf32(Rounding::kRn, 0x3f803000), 0x3f804000u);
  EXPECT_EQ(tf32(Rounding::kRz, 0x3f801fff), 0x3f800000u);
  EXPECT_EQ(tf32(Rounding::kRna, 0x00001000), 0x00002000u);
  EXPECT_EQ(tf32(Rounding::kRna, 0xff800000), 0xff800000u);
  EXPECT_EQ(tf32(Rounding::kRna, 0x7f800001), 0x7fffffffu);
  EXPECT_EQ(tf32(Rounding::kRn, 0xbf801000, {.relu = true}), 0u);
}

TEST(LaneConvert, SaturationReluAndFlushing) {
  const auto cvt = [](std::uint32_t bits, Options options) {
    return Cvt(Type::kF32, Type::kF32, Rounding::kNone, bits, options);
  };
  EXPECT_EQ(cvt(0x40000000, {.sat = true}), 0x3f800000u);
  EXPECT_EQ(cvt(0x3f000000, {.sat = true}), 0x3f000000u);
  EXPECT_EQ(cvt(0x80000000, {.sat = true}), 0u);
  EXPECT_EQ(cvt(0xff800000, {.sat = true}), 0u);
  EXPECT_EQ(cvt(0x7f800000, {.sat = true}), 0x3f800000u);
  EXPECT_EQ(cvt(0x7fc00000, {.sat = true}), 0u);
  EXPECT_EQ(cvt(0xffc00000, {}), 0x7fffffffu);
  EXPECT_EQ(cvt(0x80000001, {.ftz = true}), 0x80000000u);
  EXPECT_EQ(cvt(0x80000001, {}), 0x80000001u);
  const Options relu{.relu = true};
  EXPECT_EQ(Cvt(Type::kF16, Type::kF32, Rounding::kRn, 0xbf800000, relu), 0u);
  EXPECT_EQ(Cvt(Type::kF16, Type::kF32, Rounding::kRn, 0x3f800000, relu), 0x3c00u);
  EXPECT_EQ(Cvt(Type::kBf16, Type::kF32, Rounding::kRz, 0x7fc00000, relu), 0x7fffu);
  EXPECT_EQ(Cvt(Type::kF64, Type::kF32, Rounding::kNone, 0x7fc00000), 0x7fffffffe0000000u);
  // After flushing, the input is not above zero any more.
  EXPECT_EQ(Cvt(Type::kS32, Type::kF32, Rounding::kRpi, 1), 1u);
  EXPECT_EQ(Cvt(Type::kS32, Type::kF32, Rounding::kRpi, 1, {.ftz = true}), 0u);
}

}  // namespace
}  // namespace warpcheck::emulator::lane_convert_test
