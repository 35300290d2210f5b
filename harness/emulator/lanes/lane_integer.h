// Computes integer instructions on one lane (PTX ISA, sections 9.7.1 and 9.7.2). Signed arithmetic
// wraps around.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "emulator/code/step.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// A type that can represent every product of two T.
template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
    std::conditional_t<sizeof(T) == 4,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>>>;

template <class T>
constexpr T WrapAdd(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <class T>
constexpr T WrapSub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <class T>
constexpr T MulLo(T a, T b) {
  // Computes the product in at least 32 unsigned bits, because 16-bit factors would be promoted to
  // int, and could overflow.
  using U = std::common_type_t<Unsigned<T>, unsigned>;
  return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
}
template <class T>
constexpr T MulHi(T a, T b) {
  return static_cast<T>((Wide<T>{a} * Wide<T>{b}) >> (8 * sizeof(T)));
}
constexpr std::int32_t Saturate(std::int64_t value) {
  constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(value < lowest ? lowest : value > highest ? highest : value);
}

// Returns a / b for b not 0, in a way that compiles to vector instructions. The result is exact: if
// a / b is not an integer, its distance from the nearest integer is at least 1 / b, which is more
// than the rounding error of a double.
inline std::uint32_t QuotientOf(std::uint32_t a, std::uint32_t b) {
  // 2^31; the processor has instructions only for conversions to int
  constexpr double kHalf = 2147483648.0;
  const double quotient = std::floor(static_cast<double>(a) / static_cast<double>(b));
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(quotient - kHalf)) ^ 0x80000000U;
}

// Divides. PTX does not define division by zero; an H200 returns all ones for quotient and
// remainder.
template <class T>
inline T Quotient(T a, T b) {
  if constexpr (sizeof(T) == 4) {
    const bool negative = std::is_signed_v<T> && ((a ^ b) >> 31) != 0;
    const auto magnitude = [](T x) {
      const bool below = std::is_signed_v<T> && x < T{0};
      return below ? 0U - static_cast<std::uint32_t>(x) : static_cast<std::uint32_t>(x);
    };
    const std::uint32_t divisor = b == 0 ? 1U : magnitude(b);
    const std::uint32_t quotient = QuotientOf(magnitude(a), divisor);
    return b == 0 ? static_cast<T>(~T{0}) : static_cast<T>(negative ? 0U - quotient : quotient);
  } else {
    if (b == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return WrapSub(T{0}, a);
    return static_cast<T>(a / b);
  }
}
template <class T>
inline T Remainder(T a, T b) {
  if constexpr (sizeof(T) == 4) {
    return b == 0 ? static_cast<T>(~T{0}) : WrapSub(a, MulLo(Quotient(a, b), b));
  } else {
    if (b == 0) return static_cast<T>(~T{0});
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
}

template <class T>
constexpr T ReverseBits(T value) {
  T result = 0;
  for (std::size_t i = 0; i < 8 * sizeof(T); ++i) {
    result = static_cast<T>(result << 1 | (value >> i & 1));
  }
  return result;
}

// Returns the position of the highest bit that differs from the sign, or all ones if there is no
// such bit.
template <class T>
constexpr std::uint32_t FindHighest(T value, bool as_shift) {
  const auto bits = static_cast<Unsigned<T>>(value < 0 ? ~value : value);
  if (bits == 0) return ~0u;
  const auto shift = static_cast<std::uint32_t>(std::countl_zero(bits));
  return as_shift ? shift : static_cast<std::uint32_t>(8 * sizeof(T)) - 1 - shift;
}

template <class T>
constexpr T ExtractField(T value, std::uint32_t position, std::uint32_t length) {
  constexpr int width = 8 * sizeof(T);
  const int from = static_cast<int>(position & 0xff);
  const int count = static_cast<int>(length & 0xff);
  if (count == 0) return 0;
  const auto bits = static_cast<Unsigned<T>>(value);
  const int top = from + count - 1 < width - 1 ? from + count - 1 : width - 1;
  const bool sign = std::is_signed_v<T> && (bits >> top & 1) != 0;
  const auto field = static_cast<Unsigned<T>>(from < width ? bits >> from : 0);
  const int have = from < width ? (count < width - from ? count : width - from) : 0;
  const Unsigned<T> keep =
      have == 0 ? Unsigned<T>{0} : static_cast<Unsigned<T>>(~Unsigned<T>{0} >> (width - have));
  return static_cast<T>((field & keep) | (sign ? static_cast<Unsigned<T>>(~keep) : 0));
}

template <class T>
constexpr T InsertField(T from, T into, std::uint32_t position, std::uint32_t length) {
  constexpr std::uint32_t width = 8 * sizeof(T);
  const std::uint32_t at = position & 0xff;
  const std::uint32_t count = length & 0xff;
  if (count == 0 || at >= width) return into;
  const T ones = count >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << count) - 1);
  const T field = static_cast<T>(ones << at);
  return static_cast<T>((into & ~field) | (static_cast<T>(from << at) & field));
}

// Returns the position of the n-th set bit of `mask`, starting at `base`, upwards for n > 0 and
// downwards for n < 0. Returns all ones if there is no such bit.
constexpr std::uint32_t FindNthSet(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
  if (base > 31) return ~0u;
  if (n == 0) return (mask >> base & 1) != 0 ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  std::int64_t left = n > 0 ? std::int64_t{n} : -std::int64_t{n};
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(bit);
  }
  return ~0u;
}

constexpr std::uint32_t PermuteBytes(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t pick = selector >> (4 * i) & 0xf;
    auto byte = static_cast<std::uint32_t>(bytes >> (8 * (pick & 7)) & 0xff);
    if ((pick & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

constexpr std::uint32_t Lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                             std::uint64_t table) {
  std::uint32_t result = 0;
  for (std::uint32_t row = 0; row < 8; ++row) {
    if ((table >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
