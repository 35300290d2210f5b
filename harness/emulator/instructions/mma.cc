// Executes matrix products: mma and wmma.mma (PTX ISA, "Warp Level Matrix Multiply-Accumulate
// Instructions"). Fragments are gathered into whole matrices, multiplied, and scattered again.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "emulator/code/matrix_layout.h"
#include "emulator/decode/decoder.h"
#include "emulator/instructions/instructions.h"
#include "emulator/instructions/matrix.h"
#include "emulator/lanes/lane_float.h"
#include "emulator/lanes/lanes.h"
#include "emulator/warps/warp_sync.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using ptx::Type;

constexpr int kMostElements = 512;  // the most elements of one matrix: 32 x 16 or 16 x 32

// The elements of a matrix as T, row after row. The elements of b are stored column after column.
template <class T>
using Elements = std::array<T, kMostElements>;

// Returns the index of an element. `line` is a row, or a column of b, and has `length` elements.
std::size_t ElementIndex(int line, int length, int at) {
  return static_cast<std::size_t>(line) * static_cast<std::size_t>(length) +
         static_cast<std::size_t>(at);
}

int IndexOf(const MatrixOperand& operand, MatrixPlace place) {
  return operand.matrix == 'b' ? place.column * operand.fragment.rows + place.row
                               : place.row * operand.fragment.columns + place.column;
}

// Calls visit(element of the matrix, host address of its bits) for the first `count` elements of
// the lanes of `mask`.
template <class Visit>
void ForEachElement(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand,
                    std::uint32_t count, LaneMask mask, Visit visit) {
  const std::size_t bytes = ptx::Bytes(operand.fragment.element);
  const std::size_t register_bytes = ptx::Bytes(operand.fragment.reg);
  const std::uint32_t per = ElementsPerRegister(operand);
  for (std::uint32_t e = 0; e < count; ++e) {
    const MatrixPlace first = PlaceInLaneZero(shape, operand, e);
    std::byte* const registers = frame + operand.registers[e / per] + e % per * bytes;
    ForEachLane(mask, [&](int lane) {
      const MatrixPlace offset = LaneOffset(shape, operand, lane);
      const int index = IndexOf(operand, {first.row + offset.row, first.column + offset.column});
      visit(static_cast<std::size_t>(index),
            registers + static_cast<std::size_t>(lane) * register_bytes);
    });
  }
}

// Gathers the bits of every element as unsigned numbers.
template <class T>
void Gather(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand,
            Elements<T>& elements) {
  const std::uint32_t bytes = ptx::Bytes(operand.fragment.element);
  ForEachElement(frame, shape, operand, DistinctElements(operand), kAllLanes,
                 [&](std::size_t index, const std::byte* at) {
                   elements[index] = 0;
                   std::memcpy(&elements[index], at, bytes);
                 });
}

// Scatters the elements. If only some lanes execute the instruction, the result is undefined in
// PTX; here the other lanes keep their registers.
template <class T>
void Spread(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand,
            const Elements<T>& elements, LaneMask mask) {
  const std::size_t bytes = ptx::Bytes(operand.fragment.element);
  const std::uint32_t all = operand.fragment.registers * ElementsPerRegister(operand);
  ForEachElement(frame, shape, operand, all, mask, [&](std::size_t index, std::byte* at) {
    std::memcpy(at, &elements[index], bytes);
  });
}

// Computes the inner product of the tensor cores, with the same bits as measured on an H200; the
// PTX ISA does not define order and rounding. Products are exact. They and the accumulator are
// truncated at 25 bits below the highest bit that the largest of their exponents allows. Their sum
// is exact, and is truncated (f32) or rounded to nearest even (f16) once. All of k is one sum.

// A finite number: significand * 2^(exponent - fraction bits of its format). The exponent of zero
// is lower than all others.
struct MatrixNumber {
  std::int32_t significand = 0;
  std::int32_t exponent = 0;
};
constexpr std::int32_t kZeroExponent = -100'000;

// These are the formats of factors and accumulators.
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
using MatrixTf32 = MatrixFormat<8, 10>;  // only the upper 19 bits of a register
using MatrixFloat = MatrixFormat<8, 23>;

constexpr int kMatrixBits = 25;

// Returns value / 2^places, truncated. `places` may be large.
[[gnu::always_inline]] inline std::int64_t CutOff(std::int32_t value, std::int32_t places) {
  const std::int32_t sign = value >> 31;
  const auto magnitude = static_cast<std::uint32_t>((value ^ sign) - sign);
  const std::uint32_t kept = places > 31 ? 0 : magnitude >> places;
  return sign != 0 ? -std::int64_t{kept} : std::int64_t{kept};
}

// Returns the sum of a[i] * b[i] for i < k, plus c, as an exact double. F is the format of a and b,
// C that of c.
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

// Truncates to f32. A value that does not fit becomes infinite.
float CutToFloat(double value) {
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

// Returns the result of IEEE arithmetic on numbers that are not all finite.
template <class F, class C>
double SumWithInfinities(const std::uint32_t* a, const std::uint32_t* b, int k, std::uint32_t c) {
  const auto value = []<class Format>(Format, std::uint32_t bits) {
    const MatrixNumber number = Format::Read(bits);
    if (Format::IsFinite(bits)) return static_cast<double>(number.significand);
    const bool infinite = (bits & ((1U << Format::kFraction) - 1)) == 0;
    const double infinity = std::numeric_limits<double>::infinity();
    if (!infinite) return std::numeric_limits<double>::quiet_NaN();
    return number.significand < 0 ? -infinity : infinity;
  };
  double sum = C::IsFinite(c) ? 0 : value(C{}, c);
  for (int i = 0; i < k; ++i) {
    const double product = value(F{}, a[i]) * value(F{}, b[i]);
    if (product - product != 0) sum += product;
  }
  return sum;
}

// The factors of a product: their bits and, if all factors are finite, their numbers.
template <class F>
struct Factor {
  Elements<std::uint32_t> bits;
  Elements<MatrixNumber> numbers;
  bool finite = true;

  Factor(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand) {
    Gather(frame, shape, operand, bits);
    const auto count = ElementIndex(operand.fragment.rows, operand.fragment.columns, 0);
    for (std::size_t i = 0; i < count; ++i) {
      if (std::is_same_v<F, MatrixTf32>) bits[i] >>= 13;  // the lower bits are not used
      finite = finite && F::IsFinite(bits[i]);
      numbers[i] = F::Read(bits[i]);
    }
  }
};

// Returns one element of the product: `k` elements of a row of a and a column of b, plus c.
template <class F, class C>
double Sum(const Factor<F>& a, std::size_t row, const Factor<F>& b, std::size_t column, int k,
           std::uint32_t c) {
  if (!a.finite || !b.finite || !C::IsFinite(c)) {
    const double sum = SumWithInfinities<F, C>(&a.bits[row], &b.bits[column], k, c);
    if (sum != 0) return sum;  // otherwise all numbers are finite
  }
  return MatrixSum<F, C>(&a.numbers[row], &b.numbers[column], k, C::Read(c));
}

// Multiplies matrices of floats. F and C are the formats of the factors and of c; with half_result,
// d is f16.
template <class F, class C, bool half_result>
void MultiplyReal(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CheckWholeWarp(warp, step, mask);
  const MatrixInfo& info = warp.running.program->matrices[step.data];
  const Factor<F> a(frame, info.shape, info.operands[1]);
  const Factor<F> b(frame, info.shape, info.operands[2]);
  Elements<std::uint32_t> results;
  Gather(frame, info.shape, info.operands[3], results);
  const auto [m, n, k] = info.shape;
  for (int i = 0; i < m * n; ++i) {
    std::uint32_t& at = results[static_cast<std::size_t>(i)];
    for (int first = 0; first < k; first += info.depth) {
      const auto row = ElementIndex(i / n, k, first);
      const auto column = ElementIndex(i % n, k, first);
      const double sum = Sum<F, C>(a, row, b, column, info.depth, at);
      at = half_result
               ? Half::FromDouble(sum)
               : std::bit_cast<std::uint32_t>(sum != sum ? CanonicalNan<float>() : CutToFloat(sum));
    }
  }
  Spread(frame, info.shape, info.operands[0], results, mask);
}

// Calls dot(element of c, row of a, column of b, k) for every element of d. T is the type of the
// factors' bits, and S that of the sums' bits.
template <class T, class S, class Dot>
void Multiply(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, Dot dot) {
  CheckWholeWarp(warp, step, mask);
  const MatrixInfo& info = warp.running.program->matrices[step.data];
  const auto& [d, a, b, c] = info.operands;
  Elements<T> rows, columns;
  Elements<S> sums;
  Gather(frame, info.shape, a, rows);
  Gather(frame, info.shape, b, columns);
  Gather(frame, info.shape, c, sums);
  const auto [m, n, k] = info.shape;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      S& sum = sums[ElementIndex(i, n, j)];
      sum = dot(sum, &rows[ElementIndex(i, k, 0)], &columns[ElementIndex(j, k, 0)], k);
    }
  }
  Spread(frame, info.shape, d, sums, mask);
}

// Multiplies matrices of bytes exactly, and wraps or saturates sums to 32 bits. A and B are signed
// or unsigned bytes.
template <class A, class B>
void MultiplyBytes(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  using Bytes = const std::uint8_t*;
  const bool saturates = warp.running.program->matrices[step.data].saturates;
  const auto dot = [saturates](std::uint32_t c, Bytes a, Bytes b, int k) {
    std::int64_t sum = static_cast<std::int32_t>(c);
    for (int e = 0; e < k; ++e) sum += static_cast<A>(a[e]) * static_cast<B>(b[e]);
    constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::uint32_t>(saturates ? std::clamp(sum, lowest, highest) : sum);
  };
  Multiply<std::uint8_t, std::uint32_t>(frame, step, mask, warp, dot);
}

// Multiplies matrices of doubles by a chain of fused products, from the lowest index on.
void MultiplyDoubles(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  using Bits = std::uint64_t;
  const auto dot = [](Bits c, const Bits* a, const Bits* b, int k) {
    double sum = std::bit_cast<double>(c);
    for (int e = 0; e < k; ++e) {
      sum = std::fma(std::bit_cast<double>(a[e]), std::bit_cast<double>(b[e]), sum);
    }
    return std::bit_cast<Bits>(Canonical(sum));
  };
  Multiply<Bits, Bits>(frame, step, mask, warp, dot);
}

template <class F>
StepFunction OfResults(Type d, Type c) {
  if (d == Type::kF32 && c == Type::kF32) return &MultiplyReal<F, MatrixFloat, false>;
  if constexpr (std::is_same_v<F, MatrixHalf>) {
    if (d == Type::kF16 && c == Type::kF16) return &MultiplyReal<F, MatrixHalf, true>;
    if (d == Type::kF16 && c == Type::kF32) return &MultiplyReal<F, MatrixFloat, true>;
    if (d == Type::kF32 && c == Type::kF16) return &MultiplyReal<F, MatrixHalf, false>;
  }
  return nullptr;
}

StepFunction OfTypes(Type d, Type a, Type b, Type c) {
  const bool whole = d == Type::kS32 && c == Type::kS32;
  if (whole && a == Type::kS8 && b == Type::kS8) return &MultiplyBytes<std::int8_t, std::int8_t>;
  if (whole && a == Type::kS8 && b == Type::kU8) return &MultiplyBytes<std::int8_t, std::uint8_t>;
  if (whole && a == Type::kU8 && b == Type::kS8) return &MultiplyBytes<std::uint8_t, std::int8_t>;
  if (whole && a == Type::kU8 && b == Type::kU8) {
    return &MultiplyBytes<std::uint8_t, std::uint8_t>;
  }
  if (a != b) return nullptr;
  switch (a) {
    case Type::kF16:
      return OfResults<MatrixHalf>(d, c);
    case Type::kBf16:
      return OfResults<MatrixBrain>(d, c);
    case Type::kTf32:
      return OfResults<MatrixTf32>(d, c);
    case Type::kF64:
      return &MultiplyDoubles;
    default:
      return nullptr;
  }
}

// Returns true for shapes whose fragments matrix_layout.h describes.
bool KnowsShape(const ptx::MatrixShape& shape, std::uint32_t factor_bytes) {
  const auto bytes = static_cast<int>(factor_bytes);
  const int least = 16 / bytes;  // the least k: four lanes, each with a register of 4 bytes
  return shape.m * shape.k <= kMostElements && shape.n * shape.k <= kMostElements &&
         (bytes == 8 || shape.k % least == 0);
}

}  // namespace

StepFunction DecodeMma(Operands& operands, Step& step) {
  MatrixInfo info;
  const auto shape = ptx::MatrixShapeOf(operands.modifiers());
  if (!shape) return nullptr;
  info.shape = *shape;
  info.saturates = operands.modifiers().suffixes.Has("satfinite");
  for (std::size_t i = 0; i < info.operands.size(); ++i) {
    if (!DecodeMatrix(operands, i, i == 0, info.operands[i])) return nullptr;
  }
  const auto& [d, a, b, c] = info.operands;
  // An H200 makes two sums of the eight products of tf32 in wmma, and one sum in all other cases.
  const bool halved =
      operands.instruction().opcode == ptx::Opcode::kWmmaMma && a.fragment.element == Type::kTf32;
  info.depth = halved ? shape->k / 2 : shape->k;
  if (!KnowsShape(info.shape, ptx::Bytes(a.fragment.element))) return nullptr;
  step.data = operands.decoder().program().matrices.size();
  operands.decoder().program().matrices.push_back(info);
  return OfTypes(d.fragment.element, a.fragment.element, b.fragment.element, c.fragment.element);
}

StepFunction DecodeWmmaMma(Operands& operands, Step& step) { return DecodeMma(operands, step); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA
