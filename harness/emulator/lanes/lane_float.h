// Computes floating-point arithmetic on one lane (PTX ISA, 9.7.3 and 9.7.4). NaN results are
// canonical, so that every machine and both builds give the same bits: 0x7fffffff for f32,
// 0xfff8000000000000 for f64.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "emulator/code/step.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

template <class T>
T CanonicalNan() {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(0x7fffffffu);
  else
    return std::bit_cast<double>(std::uint64_t{0xfff8000000000000});
}
template <class T>
T Canonical(T value) {
  return value != value ? CanonicalNan<T>() : value;
}
// Returns zero with the same sign for subnormal numbers.
template <class T>
T Flush(T value) {
  constexpr T least = std::numeric_limits<T>::min();
  return value < least && value > -least ? value * T{0} : value;
}
template <class T>
T SaturateUnit(T value) {
  return value > T{0} ? (value < T{1} ? value : T{1}) : T{0};  // NaN becomes +0
}

// Sets the processor's rounding mode while the object lives. Operands and results of computations
// in that time must pass through Pinned(): the compiler cannot move computations across it.
class RoundingScope {
 public:
  explicit RoundingScope(std::uint32_t mode) {
    asm volatile("stmxcsr %0" : "=m"(before_));
    const std::uint32_t control = (before_ & ~0x6000u) | mode;
    asm volatile("ldmxcsr %0" : : "m"(control) : "memory");
  }
  ~RoundingScope() { asm volatile("ldmxcsr %0" : : "m"(before_) : "memory"); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

  static constexpr std::uint32_t kNearest = 0, kDown = 0x2000, kUp = 0x4000, kZero = 0x6000;

 private:
  std::uint32_t before_ = 0;
};

template <class T>
T Pinned(T value) {
  if constexpr (std::is_floating_point_v<T>)
    asm volatile("" : "+x"(value) : : "memory");
  else
    asm volatile("" : "+r"(value) : : "memory");
  return value;
}

// Converts a double to an IEEE format of `exponent_bits` and `fraction_bits`. Rounds once, to
// nearest even.
template <int exponent_bits, int fraction_bits>
std::uint16_t Pack(double value) {
  constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  constexpr std::uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  if (value != value) return 0x7fff;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = bits >> 63 != 0 ? 0x8000 : 0;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  constexpr std::uint64_t hidden = std::uint64_t{1} << 52;
  const std::uint64_t significand = (bits & (hidden - 1)) | hidden;
  // Numbers far below the smallest one of the format, and subnormal doubles, become zero.
  const int drop = std::min(52 - fraction_bits + std::max(1 - bias - exponent, 0), 63);
  const std::uint64_t kept = significand >> drop;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << drop) - 1);
  const std::uint64_t half = std::uint64_t{1} << (drop - 1);
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  // The hidden bit is added to the exponent field below, so that a carry gives the right result.
  std::uint32_t result = static_cast<std::uint32_t>(kept + (up ? 1 : 0));
  if (exponent >= 1 - bias)
    result += static_cast<std::uint32_t>(exponent + bias - 1) << fraction_bits;
  return static_cast<std::uint16_t>(sign | std::min(result, infinity));
}

struct Half {
  static constexpr std::uint16_t kLeastNormal = 0x0400;
  static std::uint16_t FromDouble(double value) { return Pack<5, 10>(value); }
  static double ToDouble(std::uint16_t bits) {
    const std::uint32_t fraction = bits & 0x3ff;
    const std::uint32_t exponent = bits >> 10 & 0x1f;
    double value = 0;
    if (exponent == 31) {
      value = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                            : std::numeric_limits<double>::infinity();
    } else {
      value = exponent == 0
                  ? fraction * 0x1p-24
                  : (1024 + fraction) * std::bit_cast<double>(std::uint64_t{exponent + 998} << 52);
    }
    return (bits & 0x8000) != 0 ? -value : value;
  }
};
struct Brain {
  static constexpr std::uint16_t kLeastNormal = 0x0080;
  static std::uint16_t FromDouble(double value) { return Pack<8, 7>(value); }
  static double ToDouble(std::uint16_t bits) {
    return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
  }
};

// Returns a * b + c for short formats whose products are exact in double. The sum is rounded to
// odd. Therefore rounding it to the short format gives the correctly rounded result.
inline double FmaToOdd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  if (sum - sum != 0) return sum;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (c - part);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  bits += (error > 0) == (sum > 0) ? 1 : static_cast<std::uint64_t>(-1);
  return std::bit_cast<double>(bits);
}

// Computes min and max of PTX. A number wins against NaN (with .NaN, NaN wins), and -0 is below +0.
template <class T, bool maximum, bool nan>
T Extreme(T a, T b) {
  if (a != a || b != b) {
    if (nan || (a != a && b != b)) return CanonicalNan<T>();
    return a != a ? b : a;
  }
  if (a == b) return std::signbit(a) == maximum ? b : a;
  return (a < b) != maximum ? a : b;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
