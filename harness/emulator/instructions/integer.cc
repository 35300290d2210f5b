// Executes integer arithmetic: add, sub, mul, mad, div and others, carry chains, and byte-wise
// products. The floating-point forms are in float.cc.
#include "emulator/core/warp.h"
#include "emulator/instructions/float.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_integer.h"
#include "emulator/lanes/lane_types.h"
#include "emulator/record/findings.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using AddOp = decltype([]<class T>(T a, T b) -> T { return WrapAdd(a, b); });
using SubOp = decltype([]<class T>(T a, T b) -> T { return WrapSub(a, b); });
using MulLoOp = decltype([]<class T>(T a, T b) -> T { return MulLo(a, b); });
using MulHiOp = decltype([]<class T>(T a, T b) -> T { return MulHi(a, b); });
using DivOp = decltype([]<class T>(T a, T b) -> T { return Quotient(a, b); });
using RemOp = decltype([]<class T>(T a, T b) -> T { return Remainder(a, b); });
using MinOp = decltype([]<class T>(T a, T b) -> T { return a < b ? a : b; });
using MaxOp = decltype([]<class T>(T a, T b) -> T { return a > b ? a : b; });
using MinReluOp = decltype([]<class T>(T a, T b) -> T {
  return a < 0 || b < 0 ? T{0} : a < b ? a : b;
});
using MaxReluOp = decltype([]<class T>(T a, T b) -> T {
  return a < 0 && b < 0 ? T{0} : a > b ? a : b;
});
using AddSatOp = decltype([](std::int32_t a, std::int32_t b) -> std::int32_t {
  return Saturate(std::int64_t{a} + b);
});
using SubSatOp = decltype([](std::int32_t a, std::int32_t b) -> std::int32_t {
  return Saturate(std::int64_t{a} - b);
});
using MadHiSatOp = decltype([](std::int32_t a, std::int32_t b, std::int32_t c) -> std::int32_t {
  return Saturate(std::int64_t{MulHi(a, b)} + c);
});
using MadLoOp = decltype([]<class T>(T a, T b, T c) -> T { return WrapAdd(MulLo(a, b), c); });
using MadHiOp = decltype([]<class T>(T a, T b, T c) -> T { return WrapAdd(MulHi(a, b), c); });
template <class T>
struct MulWideOp {
  Wide<T> operator()(T a, T b) const { return static_cast<Wide<T>>(Wide<T>{a} * Wide<T>{b}); }
};
template <class T>
struct MadWideOp {
  Wide<T> operator()(T a, T b, Wide<T> c) const {
    return WrapAdd(static_cast<Wide<T>>(Wide<T>{a} * Wide<T>{b}), c);
  }
};
using SadOp = decltype([]<class T>(T a, T b, T c) -> T {
  return WrapAdd(c, a < b ? WrapSub(b, a) : WrapSub(a, b));
});
using AbsOp = decltype([]<class T>(T a) -> T { return a < 0 ? WrapSub(T{0}, a) : a; });
using NegOp = decltype([]<class T>(T a) -> T { return WrapSub(T{0}, a); });

template <class Op>
StepFunction UnaryInteger(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  return OnInteger(operands.type(), []<class T>() { return &Unary<T, T, Op>; });
}
// If `special` is set, Special is the operation for s32 with .sat or .relu.
template <class Op, class Special = Op>
StepFunction BinaryInteger(Operands& operands, Step& step, bool special = false) {
  using S = std::int32_t;
  DecodeSlots(operands, step);
  if (special) return &Binary<S, S, S, Special>;
  return OnInteger(operands.type(), []<class T>() { return &Binary<T, T, T, Op>; });
}
template <class Op, class Special = Op>
StepFunction TernaryInteger(Operands& operands, Step& step, bool special = false) {
  using S = std::int32_t;
  DecodeSlots(operands, step);
  if (special) return &Ternary<S, S, S, S, Special>;
  return OnInteger(operands.type(), []<class T>() { return &Ternary<T, T, T, T, Op>; });
}

// Divides, and reports the lanes whose divisor is 0. They get what a GPU computes.
template <class T, class Op>
void Division(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const T* divisors = Lanes<T>(frame, step.b);
  const LaneMask zeros = mask & LanesWhere([=](int i) { return divisors[i] == 0; });
  if (zeros != 0) Report(warp, step, FindingKind::kDivisionByZero, zeros, "the divisor is 0");
  Binary<T, T, T, Op>(frame, step, mask, warp);
}
template <class Op>
StepFunction DecodeDivision(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  return OnInteger(operands.type(), []<class T>() { return &Division<T, Op>; });
}

// Computes two halves of 16 bits separately.
template <class T, class Op>
struct HalvesOp {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    const T low = Op{}(static_cast<T>(a), static_cast<T>(b));
    const T high = Op{}(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return static_cast<std::uint16_t>(low) | std::uint32_t{static_cast<std::uint16_t>(high)} << 16;
  }
};
template <class Op>
StepFunction BinaryHalves(Operands& operands, Step& step) {
  using U = std::uint32_t;
  DecodeSlots(operands, step, 4);
  return ptx::IsSigned(operands.type()) ? &Binary<U, U, U, HalvesOp<std::int16_t, Op>>
                                        : &Binary<U, U, U, HalvesOp<std::uint16_t, Op>>;
}

// Decodes min or max. `ReluOp` returns 0 instead of a negative result, for signed types.
template <class Op, class ReluOp>
StepFunction DecodeExtreme(Operands& operands, Step& step) {
  const bool relu = operands.modifiers().suffixes.Has("relu");
  if (ptx::IsPackedInteger(operands.type())) {
    return relu ? BinaryHalves<ReluOp>(operands, step) : BinaryHalves<Op>(operands, step);
  }
  return BinaryInteger<Op, ReluOp>(operands, step, relu);
}

// Computes with the carry flag (PTX ISA, 9.7.2). `kind` says what is added besides the flag.
enum class CarryKind { kAdd, kSub, kMadLo, kMadHi };

template <class T, CarryKind kind, bool in, bool out>
void WithCarry(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  using U = Unsigned<T>;
  using W = Wide<U>;
  T* d = Lanes<T>(frame, step.d);
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  const T* c = Lanes<T>(frame, kind >= CarryKind::kMadLo ? step.c : step.b);
  LaneMask carry = warp.carry;
  ForEachLane(mask, [&](int i) {
    const W flag = in ? carry >> i & 1 : 0;
    W sum = 0;
    if constexpr (kind == CarryKind::kSub) {
      sum = W{static_cast<U>(a[i])} - W{static_cast<U>(b[i])} - flag;
    } else if constexpr (kind == CarryKind::kAdd) {
      sum = W{static_cast<U>(a[i])} + W{static_cast<U>(b[i])} + flag;
    } else {
      const T part = kind == CarryKind::kMadLo ? MulLo(a[i], b[i]) : MulHi(a[i], b[i]);
      sum = W{static_cast<U>(part)} + W{static_cast<U>(c[i])} + flag;
    }
    d[i] = static_cast<T>(sum);
    const auto bit = static_cast<LaneMask>(sum >> (8 * sizeof(T)) & 1);
    if (out) carry = (carry & ~(1u << i)) | bit << i;
  });
  warp.carry = carry;
}

template <CarryKind kind>
StepFunction DecodeCarry(Operands& operands, Step& step, bool in) {
  DecodeSlots(operands, step);
  return OnInteger(operands.type(), [&]<class T>() -> StepFunction {
    if constexpr (sizeof(T) < 4) return nullptr;
    return OnFlags([]<bool takes, bool gives>() { return &WithCarry<T, kind, takes, gives>; }, in,
                   operands.modifiers().carry_out);
  });
}
StepFunction DecodeMadCarry(Operands& operands, Step& step, bool in) {
  return operands.modifiers().part == ptx::MulPart::kHi
             ? DecodeCarry<CarryKind::kMadHi>(operands, step, in)
             : DecodeCarry<CarryKind::kMadLo>(operands, step, in);
}

template <bool accumulate>
StepFunction DecodeWide(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  step.d = operands.Destination(0, 2 * bytes);
  step.a = operands.Source(1, bytes);
  step.b = operands.Source(2, bytes);
  if (accumulate) step.c = operands.Source(3, 2 * bytes);
  return OnInteger(operands.type(), []<class T>() -> StepFunction {
    if constexpr (sizeof(T) == 8) {
      return nullptr;
    } else if constexpr (accumulate) {
      return &Ternary<Wide<T>, T, T, Wide<T>, MadWideOp<T>>;
    } else {
      return &Binary<Wide<T>, T, T, MulWideOp<T>>;
    }
  });
}

// Returns bits 16 to 47 (.hi) or 0 to 31 (.lo) of the product of the low 24 bits.
template <class T, bool hi>
T Mul24(T a, T b) {
  const Wide<T> x = static_cast<T>(static_cast<Unsigned<T>>(a) << 8) >> 8;
  const Wide<T> y = static_cast<T>(static_cast<Unsigned<T>>(b) << 8) >> 8;
  return static_cast<T>(x * y >> (hi ? 16 : 0));
}
template <bool hi>
using Mul24Op = decltype([]<class T>(T a, T b) -> T { return Mul24<T, hi>(a, b); });
template <bool hi>
using Mad24Op = decltype([]<class T>(T a, T b, T c) -> T {
  return WrapAdd(Mul24<T, hi>(a, b), c);
});
using Mad24SatOp = decltype([](std::int32_t a, std::int32_t b, std::int32_t c) -> std::int32_t {
  return Saturate(std::int64_t{Mul24<std::int32_t, true>(a, b)} + c);
});

std::int32_t Field(std::uint32_t value, int bits, int index, bool is_signed) {
  const std::uint32_t raw = value << (32 - bits * (index + 1)) >> (32 - bits);
  if (!is_signed) return static_cast<std::int32_t>(raw);
  return static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
}

// Executes dp4a and dp2a. Bits of step.data: 0 if a is signed, 1 if b is signed, 2 for dp2a.hi, 3
// for dp2a.
void DotProduct(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto* a = Lanes<std::uint32_t>(frame, step.a);
  const auto* b = Lanes<std::uint32_t>(frame, step.b);
  const auto* c = Lanes<std::uint32_t>(frame, step.c);
  auto* d = Lanes<std::uint32_t>(frame, step.d);
  const bool a_signed = (step.data & 1) != 0;
  const bool b_signed = (step.data & 2) != 0;
  const bool pairs = (step.data & 8) != 0;
  const int first = (step.data & 4) != 0 ? 2 : 0;
  ForEachLane(mask, [=](int i) {
    std::uint32_t sum = c[i];
    for (int k = 0; k < (pairs ? 2 : 4); ++k) {
      const std::int32_t x = Field(a[i], pairs ? 16 : 8, k, a_signed);
      sum += static_cast<std::uint32_t>(MulLo(x, Field(b[i], 8, first + k, b_signed)));
    }
    d[i] = sum;
  });
}

StepFunction DecodeDot(Operands& operands, Step& step, std::uint64_t form) {
  DecodeSlots(operands, step, 4);
  step.data = form | (ptx::IsSigned(operands.type()) ? 1 : 0) |
              (ptx::IsSigned(operands.modifiers().source_type) ? 2 : 0);
  return &DotProduct;
}

}  // namespace

StepFunction DecodeAdd(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatAdd(operands, step);
  if (ptx::IsPackedInteger(operands.type())) return BinaryHalves<AddOp>(operands, step);
  if (operands.modifiers().carry_out) return DecodeCarry<CarryKind::kAdd>(operands, step, false);
  return BinaryInteger<AddOp, AddSatOp>(operands, step, operands.modifiers().sat);
}
StepFunction DecodeAddc(Operands& o, Step& s) { return DecodeCarry<CarryKind::kAdd>(o, s, true); }
StepFunction DecodeSub(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatSub(operands, step);
  if (operands.modifiers().carry_out) return DecodeCarry<CarryKind::kSub>(operands, step, false);
  return BinaryInteger<SubOp, SubSatOp>(operands, step, operands.modifiers().sat);
}
StepFunction DecodeSubc(Operands& o, Step& s) { return DecodeCarry<CarryKind::kSub>(o, s, true); }
StepFunction DecodeMul(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatMul(operands, step);
  switch (operands.modifiers().part) {
    case ptx::MulPart::kLo:
      return BinaryInteger<MulLoOp>(operands, step);
    case ptx::MulPart::kHi:
      return BinaryInteger<MulHiOp>(operands, step);
    case ptx::MulPart::kWide:
      return DecodeWide<false>(operands, step);
    default:
      return nullptr;
  }
}
StepFunction DecodeMad(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFma(operands, step);
  const ptx::Modifiers& modifiers = operands.modifiers();
  const bool hi = modifiers.part == ptx::MulPart::kHi;
  if (modifiers.part == ptx::MulPart::kWide) return DecodeWide<true>(operands, step);
  if (modifiers.carry_out) return DecodeMadCarry(operands, step, false);
  return hi ? TernaryInteger<MadHiOp, MadHiSatOp>(operands, step, modifiers.sat)
            : TernaryInteger<MadLoOp>(operands, step);
}
StepFunction DecodeMadc(Operands& o, Step& s) { return DecodeMadCarry(o, s, true); }
StepFunction DecodeMul24(Operands& operands, Step& step) {
  return operands.modifiers().part == ptx::MulPart::kHi
             ? BinaryInteger<Mul24Op<true>>(operands, step)
             : BinaryInteger<Mul24Op<false>>(operands, step);
}
StepFunction DecodeMad24(Operands& operands, Step& step) {
  return operands.modifiers().part == ptx::MulPart::kHi
             ? TernaryInteger<Mad24Op<true>, Mad24SatOp>(operands, step, operands.modifiers().sat)
             : TernaryInteger<Mad24Op<false>>(operands, step);
}
StepFunction DecodeDiv(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatDiv(operands, step);
  return DecodeDivision<DivOp>(operands, step);
}
StepFunction DecodeRem(Operands& o, Step& s) { return DecodeDivision<RemOp>(o, s); }
StepFunction DecodeAbs(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatAbs(operands, step);
  return UnaryInteger<AbsOp>(operands, step);
}
StepFunction DecodeNeg(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatNeg(operands, step);
  return UnaryInteger<NegOp>(operands, step);
}
StepFunction DecodeMin(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatMin(operands, step);
  return DecodeExtreme<MinOp, MinReluOp>(operands, step);
}
StepFunction DecodeMax(Operands& operands, Step& step) {
  if (IsFloating(operands.type())) return DecodeFloatMax(operands, step);
  return DecodeExtreme<MaxOp, MaxReluOp>(operands, step);
}
StepFunction DecodeSad(Operands& o, Step& s) { return TernaryInteger<SadOp>(o, s); }
StepFunction DecodeDp4a(Operands& operands, Step& step) { return DecodeDot(operands, step, 0); }
StepFunction DecodeDp2a(Operands& operands, Step& step) {
  return DecodeDot(operands, step, operands.modifiers().part == ptx::MulPart::kHi ? 12 : 8);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
