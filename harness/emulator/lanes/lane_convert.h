// Computes cvt on one lane (PTX ISA, section 9.7.9.21). Convert() is exact for every pair of types
// and every rounding: it splits a value into sign, magnitude and exponent, and rounds once. The
// plain functions after it compute the usual conversions with the processor's own instructions.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "emulator/code/step.h"
#include "ptx/types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// The form of a cvt instruction. It is small enough for Step::data.
struct Conversion {
  ptx::Type to = ptx::Type::kNone;
  ptx::Type from = ptx::Type::kNone;
  ptx::Rounding rounding = ptx::Rounding::kNone;
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  // The widths of the registers, which may exceed the widths of the types.
  std::uint8_t to_bytes = 0;
  std::uint8_t from_bytes = 0;
};
static_assert(sizeof(Conversion) == sizeof(Step::data));

inline constexpr std::uint16_t kNan16 = 0x7fff;  // the canonical NaN of f16 and bf16
inline constexpr std::uint32_t kNan32 = 0x7fffffff;
// The canonical f32 NaN, widened to f64.
inline constexpr std::uint64_t kNan64 = 0x7fffffffe0000000;

// An IEEE format whose lowest bit is bit `shift` (tf32 is an f32 without its low bits).
struct FloatFormat {
  int fraction = 0;
  int exponent = 0;
  int shift = 0;
  std::uint64_t nan = 0;

  int MinExponent() const { return 2 - (1 << (exponent - 1)); }
  std::uint64_t Infinity() const { return ((std::uint64_t{1} << exponent) - 1) << fraction; }
  std::uint64_t Sign() const { return std::uint64_t{1} << (fraction + exponent); }
};
inline FloatFormat FormatOf(ptx::Type type) {
  switch (type) {
    case ptx::Type::kF16:
    case ptx::Type::kF16x2:
      return {10, 5, 0, kNan16};
    case ptx::Type::kBf16:
    case ptx::Type::kBf16x2:
      return {7, 8, 0, kNan16};
    case ptx::Type::kTf32:
      return {10, 8, 13, kNan32};
    case ptx::Type::kF32:
      return {23, 8, 0, kNan32};
    default:
      return {52, 11, 0, kNan64};
  }
}

// An exact value: magnitude * 2^exponent, or infinity or NaN.
struct Exact {
  enum class Kind { kFinite, kInfinite, kNan } kind = Kind::kFinite;
  bool negative = false;
  std::uint64_t magnitude = 0;
  int exponent = 0;
};

inline std::uint64_t LowBits(std::uint64_t bits, std::uint32_t bytes) {
  return bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}
inline std::uint64_t SignExtend(std::uint64_t bits, std::uint32_t bytes) {
  const std::uint32_t unused = 64 - 8 * bytes;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
}
inline int BitWidth(std::uint64_t value) { return 64 - std::countl_zero(value); }
inline bool IsInteger(ptx::Type type) { return type >= ptx::Type::kU8 && type <= ptx::Type::kS64; }

inline Exact ExactFloat(std::uint64_t bits, const FloatFormat& format) {
  bits >>= format.shift;
  Exact value;
  value.negative = (bits & format.Sign()) != 0;
  const std::uint64_t rest = bits & (format.Sign() - 1);
  if (rest >= format.Infinity()) {
    value.kind = rest == format.Infinity() ? Exact::Kind::kInfinite : Exact::Kind::kNan;
    return value;
  }
  const auto field = static_cast<int>(rest >> format.fraction);
  const std::uint64_t hidden = std::uint64_t{1} << format.fraction;
  value.magnitude = (rest & (hidden - 1)) | (field != 0 ? hidden : 0);
  value.exponent = format.MinExponent() - format.fraction + std::max(field, 1) - 1;
  return value;
}

inline Exact ExactInteger(std::uint64_t bits, ptx::Type type) {
  const std::uint32_t bytes = ptx::Bytes(type);
  bits = ptx::IsSigned(type) ? SignExtend(bits, bytes) : LowBits(bits, bytes);
  Exact value;
  value.negative = ptx::IsSigned(type) && static_cast<std::int64_t>(bits) < 0;
  value.magnitude = value.negative ? 0 - bits : bits;
  return value;
}

// Returns magnitude / 2^shift, rounded to a whole number.
inline std::uint64_t RoundedShift(std::uint64_t magnitude, int shift, bool negative,
                                  ptx::Rounding rounding) {
  const std::uint64_t whole = shift < 64 ? magnitude >> shift : 0;
  // The bits that are cut off are compared with one half. Their first bit decides, and whether any
  // other bit is set.
  const bool half = shift <= 64 && (magnitude >> (shift - 1) & 1) != 0;
  const std::uint64_t others =
      shift > 64 ? magnitude : magnitude & ((std::uint64_t{1} << (shift - 1)) - 1);
  const bool inexact = half || others != 0;
  bool up = false;
  switch (rounding) {
    case ptx::Rounding::kRz:
    case ptx::Rounding::kRzi:
      break;
    case ptx::Rounding::kRm:
    case ptx::Rounding::kRmi:
      up = negative && inexact;
      break;
    case ptx::Rounding::kRp:
    case ptx::Rounding::kRpi:
      up = !negative && inexact;
      break;
    case ptx::Rounding::kRna:
      up = half;
      break;
    default:
      up = half && (others != 0 || (whole & 1) != 0);
      break;
  }
  return whole + (up ? 1 : 0);
}

inline std::uint64_t FloatBits(const Exact& value, const FloatFormat& format,
                               ptx::Rounding rounding, bool ftz) {
  const std::uint64_t sign = value.negative ? format.Sign() : 0;
  if (value.kind == Exact::Kind::kNan) return format.nan;
  if (value.kind == Exact::Kind::kInfinite) return (sign | format.Infinity()) << format.shift;
  if (value.magnitude == 0) return sign << format.shift;
  const int top = value.exponent + BitWidth(value.magnitude) - 1;
  const int place = std::max(top, format.MinExponent());
  const int shift = place - format.fraction - value.exponent;
  const std::uint64_t digits = shift > 0
                                   ? RoundedShift(value.magnitude, shift, value.negative, rounding)
                                   // NOLINTNEXTLINE(clang-analyzer-core.*): by 52 at most
                                   : value.magnitude << -shift;
  // If `digits` has a hidden bit, the sum adds it to the exponent.
  const std::uint64_t biased = static_cast<std::uint64_t>(place - format.MinExponent());
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): unsigned, by 52 at most
  std::uint64_t bits = top > 2048 ? format.Infinity() : (biased << format.fraction) + digits;
  if (bits >= format.Infinity()) {
    const bool towards_zero =
        rounding == ptx::Rounding::kRz ||
        rounding == (value.negative ? ptx::Rounding::kRp : ptx::Rounding::kRm);
    bits = format.Infinity() - (towards_zero ? 1 : 0);
  }
  if (ftz && bits < std::uint64_t{1} << format.fraction) bits = 0;
  return (sign | bits) << format.shift;
}

// Returns the rounded value as an integer of `type`, or the nearest such integer if it is out of
// range.
inline std::uint64_t IntegerBits(const Exact& value, ptx::Type type, ptx::Rounding rounding) {
  const int width = static_cast<int>(8 * ptx::Bytes(type));
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const std::uint64_t highest = ptx::IsSigned(type) ? sign - 1 : sign - 1 + sign;
  const std::uint64_t limit = value.negative ? (ptx::IsSigned(type) ? sign : 0) : highest;
  std::uint64_t whole = 0;
  if (value.kind == Exact::Kind::kInfinite || BitWidth(value.magnitude) + value.exponent > 64) {
    whole = value.magnitude != 0 || value.kind == Exact::Kind::kInfinite ? limit : 0;
  } else if (value.exponent < 0) {
    whole = RoundedShift(value.magnitude, -value.exponent, value.negative, rounding);
  } else {
    whole = value.magnitude << value.exponent;
  }
  whole = std::min(whole, limit);
  return value.negative ? 0 - whole : whole;
}

// Returns the integer for NaN. PTX ISA: "NaN input results in zero if source is not .f64 and
// destination is not .s64, .u64; otherwise 1 << (BitWidth(dst) - 1)".
inline std::uint64_t IntegerOfNan(ptx::Type to, ptx::Type from) {
  const bool wide = from == ptx::Type::kF64 || ptx::Bytes(to) == 8;
  return wide ? std::uint64_t{1} << (8 * ptx::Bytes(to) - 1) : 0;
}

inline bool RoundsToIntegral(ptx::Rounding rounding) { return rounding >= ptx::Rounding::kRni; }

inline std::uint64_t ConvertToFloat(const Conversion& how, Exact value) {
  const FloatFormat format = FormatOf(how.to);
  if (value.kind == Exact::Kind::kNan) return how.sat ? 0 : format.nan;
  if (RoundsToIntegral(how.rounding) && value.exponent < 0) {
    value.magnitude = RoundedShift(value.magnitude, -value.exponent, value.negative, how.rounding);
    value.exponent = 0;
  }
  if (value.negative && (how.sat || how.relu)) return 0;
  const bool ftz = how.ftz && how.to == ptx::Type::kF32;
  const std::uint64_t bits = FloatBits(value, format, how.rounding, ftz);
  if (!how.sat) return bits;
  const std::uint64_t one = static_cast<std::uint64_t>(-format.MinExponent() + 1)
                            << format.fraction << format.shift;
  return std::min(bits, one);  // the bits of positive floats have the same order as the floats
}

// Converts the low bits of a register of how.from_bytes to the bits of a register of how.to_bytes;
// the caller must cut off higher bits. If a float is in a wider register, the bits above it are
// zero.
inline std::uint64_t Convert(const Conversion& how, std::uint64_t bits) {
  bits = LowBits(bits, ptx::Bytes(how.from));
  const bool to_integer = IsInteger(how.to);
  std::uint64_t result = bits;
  if (IsInteger(how.from)) {
    const Exact value = ExactInteger(bits, how.from);
    if (!to_integer) return ConvertToFloat(how, value);
    result = how.sat ? IntegerBits(value, how.to, how.rounding)
                     : (value.negative ? 0 - value.magnitude : value.magnitude);
  } else {
    Exact value = ExactFloat(bits, FormatOf(how.from));
    const bool subnormal = (bits & 0x7f800000) == 0;
    if (how.ftz && how.from == ptx::Type::kF32 && subnormal) value.magnitude = 0;
    if (!to_integer) return ConvertToFloat(how, value);
    result = value.kind == Exact::Kind::kNan ? IntegerOfNan(how.to, how.from)
                                             : IntegerBits(value, how.to, how.rounding);
  }
  const std::uint32_t bytes = ptx::Bytes(how.to);
  return ptx::IsSigned(how.to) ? SignExtend(result, bytes) : LowBits(result, bytes);
}

// Rounds a double to f32 in any direction. The double must be an exact result of f32 arithmetic.
inline float RoundToFloat(double value, ptx::Rounding rounding) {
  const Conversion how{ptx::Type::kF32, ptx::Type::kF64, rounding, false, false, false, 4, 8};
  return std::bit_cast<float>(
      static_cast<std::uint32_t>(Convert(how, std::bit_cast<std::uint64_t>(value))));
}

[[gnu::always_inline]] inline float CanonicalNan(float value) {
  return value == value ? value : std::bit_cast<float>(kNan32);
}
[[gnu::always_inline]] inline double CanonicalNan(double value) {
  return value == value ? value : std::bit_cast<double>(kNan64);
}
// Returns zero with the same sign for subnormal numbers.
[[gnu::always_inline]] inline float FlushSubnormal(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}

// Rounds a float to a whole number, as .rni, .rzi, .rmi or .rpi says.
template <ptx::Rounding rounding, class T>
[[gnu::always_inline]] inline T ToIntegral(T value) {
  switch (rounding) {
    case ptx::Rounding::kRni:
      return std::nearbyint(value);
    case ptx::Rounding::kRmi:
      return std::floor(value);
    case ptx::Rounding::kRpi:
      return std::ceil(value);
    default:
      return std::trunc(value);
  }
}

// Converts a float or double (F) to a 32- or 64-bit integer, clamped to its range.
template <class I, ptx::Rounding rounding, class F>
[[gnu::always_inline]] inline I ToInteger(F value) {
  constexpr I lowest = std::numeric_limits<I>::min();
  constexpr I highest = std::numeric_limits<I>::max();
  constexpr F begin = static_cast<F>(lowest);
  constexpr F end = static_cast<F>(I{1} << (std::numeric_limits<I>::digits - 1)) * 2;
  constexpr bool wide = sizeof(F) == 8 || sizeof(I) == 8;
  constexpr I nan = wide ? static_cast<I>(std::uint64_t{1} << (8 * sizeof(I) - 1)) : 0;
  const F whole = rounding == ptx::Rounding::kRzi ? value : ToIntegral<rounding>(value);
  const bool fits = whole > begin && whole < end;
  const I inside = static_cast<I>(fits ? whole : F{0});
  const I outside = value == value ? (whole >= end ? highest : lowest) : nan;
  return fits ? inside : outside;
}

[[gnu::always_inline]] inline float HalfToFloat(std::uint16_t half) {
  const std::uint32_t rest = half & 0x7fffu;
  // The product changes the bias of the exponent, and makes subnormal numbers normal.
  const float scaled = std::bit_cast<float>(rest << 13) * 0x1p112f;
  const std::uint32_t finite = std::bit_cast<std::uint32_t>(scaled);
  const std::uint32_t infinite = rest > 0x7c00 ? kNan32 : 0x7f800000;
  const std::uint32_t sign = rest > 0x7c00 ? 0 : (half & 0x8000u) << 16;
  return std::bit_cast<float>((rest >= 0x7c00 ? infinite : finite) | sign);
}

// Rounds to nearest, ties to even.
[[gnu::always_inline]] inline std::uint16_t FloatToHalf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rest = bits & 0x7fffffff;
  const std::uint32_t normal = (rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13;
  // The last bit of the constant 1/2 has the value of the last subnormal bit of f16, so that the
  // sum is rounded there.
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5f) - 0x3f000000;
  const std::uint32_t finite = rest < 0x38800000 ? small : normal;
  const std::uint32_t result = rest >= 0x47800000 ? 0x7c00 : finite;
  return static_cast<std::uint16_t>(rest > 0x7f800000 ? kNan16 : (bits >> 16 & 0x8000) | result);
}

[[gnu::always_inline]] inline float BrainToFloat(std::uint16_t brain) {
  return CanonicalNan(std::bit_cast<float>(std::uint32_t{brain} << 16));
}

// Rounds to nearest, ties to even.
[[gnu::always_inline]] inline std::uint16_t FloatToBrain(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<std::uint16_t>(value == value ? rounded : kNan16);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
