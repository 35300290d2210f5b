// The inner product of the tensor cores, bit for bit as an H200 computes it (measured; the PTX ISA
// leaves order and rounding open): products are exact; they and the accumulator are cut off,
// towards zero, at 25 bits below the highest bit that the largest of their exponents allows; their
// sum is exact, and is cut off (f32) or rounded to nearest even (f16) once. The whole of k is one
// sum.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "emulator/lanes/lane_float.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// A finite number: significand * 2^(exponent - fraction bits of its format). A zero has an exponent
// below all others.
struct MatrixNumber {
  std::int32_t significand = 0;
  std::int32_t exponent = 0;
};
inline constexpr std::int32_t kZeroExponent = -100'000;

// The formats of factors and accumulators.
template <int exponent_bits, int fraction_bits>
struct MatrixFormat {
  static constexpr int kFraction = fraction_bits;
  static constexpr int kBias = (1 << (exponent_bits - 1)) - 1;

  static bool IsFinite(std::uint32_t bits) {
    return (bits >> fraction_bits & ((1U << exponent_bits) - 1)) != (1U << exponent_bits) - 1;
  }
  static MatrixNumber Read(std::uint32_t bits) {
    const std::uint32_t field = bits >> fraction_bits & ((1U << exponent_bits) - 1);
    std::uint32_t significand = bits & ((1U << fraction_bits) - 1);
    if (field != 0) significand |= 1U << fraction_bits;
    const bool negative = (bits >> (exponent_bits + fraction_bits) & 1) != 0;
    const auto magnitude = static_cast<std::int32_t>(significand);
    const std::int32_t exponent = static_cast<std::int32_t>(std::max(field, 1U)) - kBias;
    return {negative ? -magnitude : magnitude, significand == 0 ? kZeroExponent : exponent};
  }
};
using MatrixHalf = MatrixFormat<5, 10>;
using MatrixBrain = MatrixFormat<8, 7>;
using MatrixTf32 = MatrixFormat<8, 10>;  // of the upper 19 bits of a register
using MatrixFloat = MatrixFormat<8, 23>;

inline constexpr int kMatrixBits = 25;

// value / 2^places, towards zero. `places` may be large.
[[gnu::always_inline]] inline std::int64_t CutOff(std::int32_t value, std::int32_t places) {
  const std::int32_t sign = value >> 31;
  const auto magnitude = static_cast<std::uint32_t>((value ^ sign) - sign);
  const std::uint32_t kept = places > 31 ? 0 : magnitude >> places;
  return sign != 0 ? -std::int64_t{kept} : std::int64_t{kept};
}

// sum of a[i] * b[i], i < k, plus c, as an exact double. F: the format of a and b; C: of c.
template <class F, class C>
double MatrixSum(const MatrixNumber* a, const MatrixNumber* b, int k, MatrixNumber c) {
  constexpr int kProductShift = kMatrixBits - 2 * F::kFraction;
  constexpr int kSumShift = kMatrixBits - C::kFraction;
  std::int32_t largest = c.exponent;
  for (int i = 0; i < k; ++i) largest = std::max(largest, a[i].exponent + b[i].exponent);
  if (largest <= kZeroExponent / 2) return 0;
  std::int64_t sum = CutOff(c.significand * (1 << kSumShift), largest - c.exponent);
  for (int i = 0; i < k; ++i) {
    sum += CutOff(a[i].significand * b[i].significand * (1 << kProductShift),
                  largest - a[i].exponent - b[i].exponent);
  }
  const auto scale = static_cast<std::uint64_t>(largest - kMatrixBits + 1023) << 52;
  return static_cast<double>(sum) * std::bit_cast<double>(scale);
}

// Towards zero; what does not fit is infinite.
inline float CutToFloat(double value) {
  const double magnitude = std::fabs(value);
  constexpr double kLeastNormal = 0x1p-126;
  float result = 0;
  if (magnitude >= 0x1p128) {
    result = std::numeric_limits<float>::infinity();
  } else if (magnitude < kLeastNormal) {
    result = std::bit_cast<float>(static_cast<std::uint32_t>(magnitude * 0x1p149));
  } else {
    constexpr std::uint64_t kKept = ~((std::uint64_t{1} << 29) - 1);
    result =
        static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) & kKept));
  }
  return value < 0 ? -result : result;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
