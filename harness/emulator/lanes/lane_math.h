// Computes reciprocals, roots and the approximate functions on one lane (PTX ISA, section 9.7.3).
//
// GPUs approximate with undocumented tables. Here the value is computed in double precision, by
// basic operations in a fixed order, and rounded once. It is more accurate than the ISA requires,
// and the same on every machine.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "emulator/lanes/lane_convert.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Returns an exact value, rounded in a direction. `nearest` is the value rounded to nearest, and
// `rest` has the sign of value - nearest. For a quotient q = a / b, rest is fma(-q, b, a), negated
// if b < 0.
inline double Directed(double nearest, double rest, ptx::Rounding rounding) {
  if (nearest != nearest || !(rest < 0 || rest > 0)) return nearest;
  const bool down =
      rounding == ptx::Rounding::kRm || (rounding == ptx::Rounding::kRz && (nearest > 0));
  const bool up =
      rounding == ptx::Rounding::kRp || (rounding == ptx::Rounding::kRz && (nearest < 0));
  const auto bits = std::bit_cast<std::int64_t>(nearest);
  const int outward = nearest < 0 ? -1 : 1;  // the change of the bits that makes the value larger
  if (down && rest < 0) return std::bit_cast<double>(bits - outward);
  if (up && rest > 0) return std::bit_cast<double>(bits + outward);
  return nearest;
}

inline double ReciprocalRounded(double a, ptx::Rounding rounding) {
  const double q = 1.0 / a;
  if (rounding == ptx::Rounding::kRn || a == 0 || std::isinf(a)) return q;
  // If the result overflows, the nearest value is above all finite values.
  if (std::isinf(q)) return Directed(q, a < 0 ? 1.0 : -1.0, rounding);
  const double rest = std::fma(-q, a, 1.0);
  return Directed(q, a < 0 ? -rest : rest, rounding);
}

inline double SquareRootRounded(double a, ptx::Rounding rounding) {
  if (rounding == ptx::Rounding::kRn || !(a > 0) || std::isinf(a)) return std::sqrt(a);
  // The residual must not underflow.
  const bool tiny = a < 0x1p-900;
  const double scaled = tiny ? a * 0x1p200 : a;
  const double root = std::sqrt(scaled);
  const double result = Directed(root, std::fma(-root, root, scaled), rounding);
  return tiny ? result * 0x1p-100 : result;
}

// A reciprocal or root of f32 that is rounded to nearest in double lies on the same side of every
// f32 as the exact one. So rounding it again, in any direction, gives the correctly rounded result.
inline float ReciprocalRounded(float a, ptx::Rounding rounding) {
  return CanonicalNan(RoundToFloat(1.0 / double{a}, rounding));
}
inline float SquareRootRounded(float a, ptx::Rounding rounding) {
  return CanonicalNan(RoundToFloat(std::sqrt(double{a}), rounding));
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 read only the upper 32 bits, and set only the upper
// 32 bits.
inline double UpperHalf(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  const std::uint64_t sign = bits ^ magnitude;
  if (magnitude < std::uint64_t{1} << 52) return std::bit_cast<double>(sign);
  return std::bit_cast<double>(bits & 0xffffffff00000000);
}
inline double NearestUpperHalf(double value) {
  if (value != value) return std::bit_cast<double>(std::uint64_t{0x7fffffff} << 32);
  return UpperHalf(std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) + 0x80000000));
}
inline double GrossReciprocal(double a) { return NearestUpperHalf(1.0 / UpperHalf(a)); }
inline double GrossInverseRoot(double a) { return NearestUpperHalf(1.0 / std::sqrt(UpperHalf(a))); }

[[gnu::always_inline]] inline double InverseRoot(double a) { return 1.0 / std::sqrt(a); }

// Evaluates a polynomial of x by Horner's scheme. The coefficient of the highest power is first.
template <class... More>
[[gnu::always_inline]] inline double Polynomial(double x, double sum, More... more) {
  ((sum = sum * x + more), ...);
  return sum;
}

// Returns 2^f - 1 for |f| <= 1/2, by the series of exp(f ln 2) - 1, with a relative error of 1e-17.
[[gnu::always_inline]] inline double PowerMinusOne(double f) {
  const double x = f * 0x1.62e42fefa39efp-1;
  return x * Polynomial(x, 1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800,
                        1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                        1.0 / 24, 1.0 / 6, 0.5, 1.0);
}

struct PowerParts {
  double scale;      // 2^k
  double minus_one;  // 2^f - 1, for x = k + f
};
// Splits 2^x for |x| <= 1000.
[[gnu::always_inline]] inline PowerParts SplitPower(double x) {
  // Adding 1.5 * 2^52 rounds to a whole number, which then stands in the low bits.
  constexpr double shifter = 0x1.8p52;
  const double shifted = x + shifter;
  const std::uint64_t biased = std::bit_cast<std::uint64_t>(shifted) + 1023;
  return {std::bit_cast<double>(biased << 52), PowerMinusOne(x - (shifted - shifter))};
}

// Returns 2^x for an x that is an f32. If x is beyond +-1000, the result is infinite or zero in
// f32.
[[gnu::always_inline]] inline double Power(double x) {
  const double bounded = x > 1000 ? 1000 : x < -1000 ? -1000 : x;
  const PowerParts parts = SplitPower(bounded);
  const double result = parts.scale + parts.scale * parts.minus_one;
  return x == x ? result : x;
}

[[gnu::always_inline]] inline double Tanh(double x) {
  // Uses tanh x = e / (e + 2) with e = exp(2x) - 1. Beyond 20 the result is 1 in f32.
  const double bounded = x > 20 ? 20 : x < -20 ? -20 : x;
  const PowerParts parts = SplitPower(bounded * 0x1.71547652b82fep+1);
  const double e = (parts.scale - 1) + parts.scale * parts.minus_one;
  const double result = e / (e + 2);
  return x != 0 && x == x ? result : x;
}

// Returns log2(x) for an x that is an f32, and therefore zero or a normal double.
[[gnu::always_inline]] inline double Log2(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  // Uses x = 2^k * m, with m from sqrt(1/2) to sqrt(2).
  constexpr std::uint64_t half_root = 0x3fe6a09e667f3bcd;
  const auto k = static_cast<std::int64_t>((bits - half_root) & 0xfff0000000000000);
  const double m = std::bit_cast<double>(bits - static_cast<std::uint64_t>(k));
  // The bits of k are above 52 zeros; its 12 bits become a double without a 64-bit conversion.
  const double whole = static_cast<double>(static_cast<std::int32_t>(k >> 52));
  const double s = (m - 1) / (m + 1);
  const double t = s * s;
  const double sum = Polynomial(t, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                                1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0);
  const double result = whole + s * sum * 0x1.71547652b82fep+1;
  const double special = x == 0 ? -kInfinity : x > 0 ? x : std::numeric_limits<double>::quiet_NaN();
  return x > 0 && x < kInfinity ? result : special;
}

struct Angle {
  int quarter;  // quarter turns, modulo 4
  double rest;  // the rest in radians: |rest| <= pi/4
};

// Reduces x to a fraction of a turn, by a product with as many bits of 2/pi as are needed (Payne
// and Hanek): x = significand * 2^exponent, and whole turns of the product are dropped.
inline Angle ReduceExactly(float x) {
  // The words are 2/pi = 0.A2F9836E 4E441529 ... in base 2^32, after 32 zero bits.
  constexpr std::array<std::uint32_t, 8> digits = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                                   0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  const Exact value = ExactFloat(std::bit_cast<std::uint32_t>(x), FormatOf(ptx::Type::kF32));
  // The window of 96 bits starts 32 bits before the binary point of 2/pi, moved by the exponent.
  const int start = value.exponent + 30;
  const auto word = static_cast<std::size_t>(start / 32);
  const int offset = start % 32;
  const auto window = [&](std::size_t i) {
    const std::uint64_t two = std::uint64_t{digits[word + i]} << 32 | digits[word + i + 1];
    return static_cast<std::uint32_t>(two << offset >> 32);
  };
  const std::uint64_t high = std::uint64_t{window(0)} << 32 | window(1);
  const std::uint64_t low = window(2);
  // The upper two bits are quarter turns, the other 62 the fraction.
  std::uint64_t phase = high * value.magnitude + (low * value.magnitude >> 32);
  const std::uint64_t quarter = (phase + (std::uint64_t{1} << 61)) >> 62;
  phase -= quarter << 62;
  const double rest = static_cast<double>(static_cast<std::int64_t>(phase)) * 0x1.921fb54442d18p-62;
  const auto turns = static_cast<int>(quarter & 3);
  return value.negative ? Angle{(4 - turns) & 3, -rest} : Angle{turns, rest};
}

inline Angle Reduce(float x) {
  if (std::fabs(x) >= 0x1p20f) return ReduceExactly(x);
  constexpr double shifter = 0x1.8p52;
  const double shifted = double{x} * 0x1.45f306dc9c883p-1 + shifter;
  const double count = shifted - shifter;
  // This is pi/2 in two parts. The products with the first part are exact.
  const double rest = (double{x} - count * 0x1.921fb544p+0) - count * 0x1.0b4611a626331p-34;
  return {static_cast<int>(std::bit_cast<std::uint64_t>(shifted) & 3), rest};
}

// Both are series for |x| <= pi/4, with a relative error of 1e-17.
inline double SineNearZero(double x) {
  const double t = x * x;
  const double sum = Polynomial(t, 1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800,
                                -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6);
  return x + x * t * sum;
}
inline double CosineNearZero(double x) {
  const double t = x * x;
  const double sum = Polynomial(t, 1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600,
                                -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5);
  return 1.0 + t * sum;
}

// Returns sin(x + quarters * pi/2).
inline double SineFrom(float x, int quarters) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0 && quarters == 0) return x;
  const Angle angle = Reduce(x);
  const int turns = (angle.quarter + quarters) & 3;
  const double value = (turns & 1) != 0 ? CosineNearZero(angle.rest) : SineNearZero(angle.rest);
  return (turns & 2) != 0 ? -value : value;
}
inline double Sine(float x) { return SineFrom(x, 0); }
inline double Cosine(float x) { return SineFrom(x, 1); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA
