// Matrix products: mma and wmma.mma (PTX ISA, "Warp Level Matrix Multiply-Accumulate
// Instructions"). Fragments are gathered to whole matrices, multiplied, and spread again.
#include <array>
#include <cstring>

#include "emulator/code/decoder.h"
#include "emulator/code/matrix_layout.h"
#include "emulator/core/warp_sync.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_matrix.h"
#include "emulator/lanes/lanes.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using ptx::Type;

constexpr int kMostElements = 512;  // of one matrix: 32 x 16 or 16 x 32

// The elements of a matrix, row after row; of b column after column. Stored as T.
template <class T>
using Elements = std::array<T, kMostElements>;

// Where the elements stand: `line` is a row, or a column of b, and has `length` of them.
std::size_t ElementIndex(int line, int length, int at) {
  return static_cast<std::size_t>(line) * static_cast<std::size_t>(length) +
         static_cast<std::size_t>(at);
}

int IndexOf(const MatrixOperand& operand, MatrixPlace place) {
  return operand.matrix == 'b' ? place.column * operand.fragment.rows + place.row
                               : place.row * operand.fragment.columns + place.column;
}

// Calls visit(element of the matrix, host address of its bits) for every element of all lanes.
template <class Visit>
void ForEachElement(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand,
                    Visit visit) {
  const std::size_t bytes = ptx::Bytes(operand.fragment.element);
  const std::size_t register_bytes = ptx::Bytes(operand.fragment.reg);
  const std::uint32_t per = ElementsPerRegister(operand);
  for (std::uint32_t e = 0; e < DistinctElements(operand); ++e) {
    const MatrixPlace first = PlaceInLaneZero(shape, operand, e);
    std::byte* const registers = frame + operand.registers[e / per] + e % per * bytes;
    for (int lane = 0; lane < kLanes; ++lane) {
      const MatrixPlace offset = LaneOffset(shape, operand, lane);
      visit(IndexOf(operand, {first.row + offset.row, first.column + offset.column}),
            registers + static_cast<std::size_t>(lane) * register_bytes);
    }
  }
}

// The bits of every element, as unsigned numbers.
template <class T>
void Gather(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand,
            Elements<T>& elements) {
  const std::uint32_t bytes = ptx::Bytes(operand.fragment.element);
  ForEachElement(frame, shape, operand, [&](int index, const std::byte* at) {
    T bits = 0;
    std::memcpy(&bits, at, bytes);
    elements[static_cast<std::size_t>(index)] = bits;
  });
}

// The lowest bytes of every element. What only some lanes execute is undefined; here the others
// keep their registers.
template <class T>
void Spread(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand,
            const Elements<T>& elements, LaneMask mask) {
  const std::size_t bytes = ptx::Bytes(operand.fragment.element);
  const std::size_t register_bytes = ptx::Bytes(operand.fragment.reg);
  const std::uint32_t per = ElementsPerRegister(operand);
  const std::uint32_t all = operand.fragment.registers * per;
  for (std::uint32_t e = 0; e < all; ++e) {
    const MatrixPlace first = PlaceInLaneZero(shape, operand, e);
    std::byte* const registers = frame + operand.registers[e / per] + e % per * bytes;
    ForEachLane(mask, [&](int lane) {
      const MatrixPlace offset = LaneOffset(shape, operand, lane);
      const int index = IndexOf(operand, {first.row + offset.row, first.column + offset.column});
      std::memcpy(registers + static_cast<std::size_t>(lane) * register_bytes,
                  &elements[static_cast<std::size_t>(index)], bytes);
    });
  }
}

// All lanes have to be here: these instructions are .aligned.
void CheckWholeWarp(Warp& warp, const Step& step, LaneMask mask) {
  const int lane = std::countr_zero(mask);
  if (!MembersFit(warp, mask, kAllLanes, lane)) ReportMembers(warp, step, mask, kAllLanes, lane);
}

// As IEEE arithmetic on numbers that are not all finite has it.
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

// The factors of a product: their bits, and what they are where all are finite.
template <class F>
struct Factor {
  Elements<std::uint32_t> bits;
  Elements<MatrixNumber> numbers;
  bool finite = true;

  Factor(std::byte* frame, const ptx::MatrixShape& shape, const MatrixOperand& operand) {
    Gather(frame, shape, operand, bits);
    const auto count = ElementIndex(operand.fragment.rows, operand.fragment.columns, 0);
    for (std::size_t i = 0; i < count; ++i) {
      if (std::is_same_v<F, MatrixTf32>) bits[i] >>= 13;  // the rest of the register is ignored
      finite = finite && F::IsFinite(bits[i]);
      numbers[i] = F::Read(bits[i]);
    }
  }
};

// Element (row of a, column of b) of the product of `k` elements from those places on, plus c.
template <class F, class C>
double Sum(const Factor<F>& a, std::size_t row, const Factor<F>& b, std::size_t column, int k,
           std::uint32_t c) {
  if (!a.finite || !b.finite || !C::IsFinite(c)) {
    const double sum = SumWithInfinities<F, C>(&a.bits[row], &b.bits[column], k, c);
    if (sum != 0) return sum;  // else these are all finite
  }
  return MatrixSum<F, C>(&a.numbers[row], &b.numbers[column], k, C::Read(c));
}

// F and C: the formats of the factors and of the accumulator c; half_result: d is f16.
template <class F, class C, bool half_result>
void MultiplyReal(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CheckWholeWarp(warp, step, mask);
  const MatrixInfo& info = warp.program->matrices[step.data];
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

// Exact, then wrapped or saturated to 32 bits. A, B: signed or unsigned bytes.
template <class A, class B>
void MultiplyBytes(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CheckWholeWarp(warp, step, mask);
  const MatrixInfo& info = warp.program->matrices[step.data];
  const auto& [d, a, b, c] = info.operands;
  Elements<std::uint8_t> bytes_a, bytes_b;
  Elements<std::uint32_t> sums;
  Gather(frame, info.shape, a, bytes_a);
  Gather(frame, info.shape, b, bytes_b);
  Gather(frame, info.shape, c, sums);
  const auto [m, n, k] = info.shape;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      std::uint32_t& at = sums[ElementIndex(i, n, j)];
      std::int64_t sum = static_cast<std::int32_t>(at);
      for (int e = 0; e < k; ++e) {
        sum += static_cast<A>(bytes_a[ElementIndex(i, k, e)]) *
               static_cast<B>(bytes_b[ElementIndex(j, k, e)]);
      }
      constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
      constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
      if (info.saturates) sum = sum < lowest ? lowest : sum > highest ? highest : sum;
      at = static_cast<std::uint32_t>(sum);
    }
  }
  Spread(frame, info.shape, d, sums, mask);
}

// A chain of fused products from the lowest index on.
void MultiplyDoubles(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CheckWholeWarp(warp, step, mask);
  const MatrixInfo& info = warp.program->matrices[step.data];
  const auto& [d, a, b, c] = info.operands;
  Elements<std::uint64_t> bits_a, bits_b, sums;
  Gather(frame, info.shape, a, bits_a);
  Gather(frame, info.shape, b, bits_b);
  Gather(frame, info.shape, c, sums);
  const auto [m, n, k] = info.shape;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      std::uint64_t& at = sums[ElementIndex(i, n, j)];
      double sum = std::bit_cast<double>(at);
      for (int e = 0; e < k; ++e) {
        sum = std::fma(std::bit_cast<double>(bits_a[ElementIndex(i, k, e)]),
                       std::bit_cast<double>(bits_b[ElementIndex(j, k, e)]), sum);
      }
      at = std::bit_cast<std::uint64_t>(Canonical(sum));
    }
  }
  Spread(frame, info.shape, d, sums, mask);
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

// The shapes whose fragments matrix_layout.h knows.
bool KnowsShape(const ptx::MatrixShape& shape, std::uint32_t factor_bytes) {
  const auto bytes = static_cast<int>(factor_bytes);
  const int least = 16 / bytes;  // of k: four lanes with a register of 4 bytes each
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
    MatrixOperand& operand = info.operands[i];
    operand.matrix = "dabc"[i];
    const auto fragment =
        ptx::FragmentOf(operands.instruction().opcode, operands.modifiers(), operand.matrix);
    if (!fragment) return nullptr;
    operand.fragment = *fragment;
    const std::uint32_t bytes = ptx::Bytes(fragment->reg);
    for (std::size_t r = 0; r < fragment->registers; ++r) {
      const ptx::Operand& element = operands[i].elements[r];
      operand.registers[r] =
          i == 0 ? operands.DestinationOf(element, bytes) : operands.SourceOf(element, bytes);
    }
  }
  const auto& [d, a, b, c] = info.operands;
  // An H200 makes two sums of wmma's eight products of tf32, and one of all others.
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
