// Executes floating-point arithmetic in every rounding, with .ftz and .sat. This includes f16 and
// bf16, single and in pairs.
#include "emulator/instructions/float.h"

#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_float.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using FAdd = decltype([]<class T>(T a, T b, T) -> T { return a + b; });
using FSub = decltype([]<class T>(T a, T b, T) -> T { return a - b; });
using FMul = decltype([]<class T>(T a, T b, T) -> T { return a * b; });
using FDiv = decltype([]<class T>(T a, T b, T) -> T { return a / b; });
using FFma = decltype([]<class T>(T a, T b, T c) -> T { return std::fma(a, b, c); });
// With xor_sign (.xorsign.abs), compares magnitudes, and gives the result the sign of the product
// of the operands.
template <bool maximum, bool xor_sign, bool nan>
struct FExtreme {
  template <class T>
  T operator()(T a, T b, T) const {
    if constexpr (!xor_sign) return Extreme<T, maximum, nan>(a, b);
    const T magnitude = Extreme<T, maximum, nan>(std::fabs(a), std::fabs(b));
    return std::signbit(a) != std::signbit(b) ? -magnitude : magnitude;
  }
};

template <class T, class Op, bool ftz, bool sat>
[[gnu::always_inline]] inline T Apply(T a, T b, T c) {
  if constexpr (ftz) a = Flush(a), b = Flush(b), c = Flush(c);
  T result = Canonical(Op{}(a, b, c));
  if constexpr (ftz) result = Flush(result);
  if constexpr (sat) result = SaturateUnit(result);
  return result;
}

// An absent operand has the slot of a, because reading it does no harm.
template <class T, class Op, bool ftz, bool sat>
void Nearest(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  const T* c = Lanes<T>(frame, step.c);
  StoreLanes(Lanes<T>(frame, step.d), mask,
             [=](int i) { return Apply<T, Op, ftz, sat>(a[i], b[i], c[i]); });
}

// Executes any form. step.data has the rounding mode and the flags, which are constants in the fast
// forms.
template <class T, class Op>
void Directed(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  const T* c = Lanes<T>(frame, step.c);
  T* d = Lanes<T>(frame, step.d);
  const bool ftz = (step.flip & 1) != 0;
  const bool sat = (step.flip & 2) != 0;
  const RoundingScope scope(static_cast<std::uint32_t>(step.data));
  ForEachLane(mask, [=](int i) {
    const T x = Pinned(a[i]), y = Pinned(b[i]), z = Pinned(c[i]);
    T result = Canonical(Pinned(ftz ? Op{}(Flush(x), Flush(y), Flush(z)) : Op{}(x, y, z)));
    if (ftz) result = Flush(result);
    d[i] = sat ? SaturateUnit(result) : result;
  });
}

std::uint32_t ModeOf(ptx::Rounding rounding) {
  return rounding == ptx::Rounding::kRz   ? RoundingScope::kZero
         : rounding == ptx::Rounding::kRm ? RoundingScope::kDown
         : rounding == ptx::Rounding::kRp ? RoundingScope::kUp
                                          : RoundingScope::kNearest;
}

// Computes f16 and bf16 in double, and rounds once. In double, every result except the sum of fma
// is exact, or is rounded without an effect on the final result (53 bits are more than twice 11).
template <class F, class Op, int parts>
void Short(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto* a = Lanes<std::uint16_t>(frame, step.a);
  const auto* b = Lanes<std::uint16_t>(frame, step.b);
  const auto* c = Lanes<std::uint16_t>(frame, step.c);
  auto* d = Lanes<std::uint16_t>(frame, step.d);
  const bool ftz = (step.flip & 1) != 0;
  const bool sat = (step.flip & 2) != 0;
  const bool relu = (step.flip & 4) != 0;
  const auto in = [ftz](std::uint16_t bits) {
    if (ftz && (bits & 0x7fff) < F::kLeastNormal) bits &= 0x8000;
    return F::ToDouble(bits);
  };
  ForEachLane(mask, [=](int lane) {
    for (int i = lane * parts; i < (lane + 1) * parts; ++i) {
      double value = 0;
      if constexpr (std::is_same_v<Op, FFma>)
        value = FmaToOdd(in(a[i]), in(b[i]), in(c[i]));
      else
        value = Op{}(in(a[i]), in(b[i]), in(c[i]));
      std::uint16_t bits = F::FromDouble(value);
      if (ftz && (bits & 0x7fff) < F::kLeastNormal) bits &= 0x8000;
      if (sat) bits = F::FromDouble(SaturateUnit(F::ToDouble(bits)));
      if (relu && F::ToDouble(bits) <= 0) bits = 0;  // this also holds for -0
      d[i] = bits;
    }
  });
}

template <class Op>
StepFunction DecodeArithmetic(Operands& operands, Step& step) {
  const ptx::Modifiers& modifiers = operands.modifiers();
  DecodeSlots(operands, step);
  if (operands.size() <= 2) step.b = step.a;
  if (operands.size() <= 3) step.c = step.a;
  step.data = ModeOf(modifiers.rounding);
  step.flip = (modifiers.ftz ? 1u : 0) | (modifiers.sat ? 2u : 0) |
              (modifiers.suffixes.Has("relu") ? 4u : 0);
  const ptx::Type type = operands.type();
  if (type == ptx::Type::kF16) return &Short<Half, Op, 1>;
  if (type == ptx::Type::kF16x2) return &Short<Half, Op, 2>;
  if (type == ptx::Type::kBf16) return &Short<Brain, Op, 1>;
  if (type == ptx::Type::kBf16x2) return &Short<Brain, Op, 2>;
  return OnFloat(type, [&]<class T>() -> StepFunction {
    if (step.data != RoundingScope::kNearest) return &Directed<T, Op>;
    if (sizeof(T) == 8) return &Nearest<T, Op, false, false>;
    return OnFlags([]<bool ftz, bool sat>() { return &Nearest<T, Op, ftz, sat>; }, modifiers.ftz,
                   modifiers.sat);
  });
}

template <bool maximum>
StepFunction DecodeExtreme(Operands& operands, Step& step) {
  return OnFlags(
      [&]<bool xor_sign, bool nan>() {
        return DecodeArithmetic<FExtreme<maximum, xor_sign, nan>>(operands, step);
      },
      operands.modifiers().suffixes.Has("xorsign"), operands.modifiers().nan);
}

// Executes abs and neg, which change only the sign bits. step.data has these bits. With step.flip,
// subnormal numbers become zero.
template <class U, bool toggle>
void Sign(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const U* a = Lanes<U>(frame, step.a);
  const U sign = static_cast<U>(step.data);
  const bool flush = step.flip != 0;
  StoreLanes(Lanes<U>(frame, step.d), mask, [=](int i) {
    U bits = a[i];
    if constexpr (sizeof(U) == 4) {
      if (flush && (bits & 0x7f800000u) == 0) bits &= 0x80000000u;
    }
    return static_cast<U>(toggle ? bits ^ sign : bits & ~sign);
  });
}

// Executes abs.ftz and neg.ftz for one or two f16 in a register.
template <bool toggle, int parts>
void FlushedHalfSign(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto* a = Lanes<std::uint16_t>(frame, step.a);
  auto* d = Lanes<std::uint16_t>(frame, step.d);
  ForEachLane(mask, [=](int lane) {
    for (int i = lane * parts; i < (lane + 1) * parts; ++i) {
      const int bits = (a[i] & 0x7fff) < Half::kLeastNormal ? a[i] & 0x8000 : a[i];
      d[i] = static_cast<std::uint16_t>(toggle ? bits ^ 0x8000 : bits & 0x7fff);
    }
  });
}

template <bool toggle>
StepFunction DecodeSign(Operands& operands, Step& step) {
  const ptx::Type type = operands.type();
  const bool is_short = type != ptx::Type::kF32 && type != ptx::Type::kF64;
  const bool pair = type == ptx::Type::kF16x2 || type == ptx::Type::kBf16x2;
  DecodeSlots(operands, step);
  if (is_short && operands.modifiers().ftz) {
    return pair ? &FlushedHalfSign<toggle, 2> : &FlushedHalfSign<toggle, 1>;
  }
  step.data = pair ? 0x80008000 : std::uint64_t{1} << (8 * ptx::Bytes(type) - 1);
  step.flip = operands.modifiers().ftz ? 1 : 0;
  return OnBits(type, []<class T>() { return &Sign<T, toggle>; });
}

template <class T>
void CopySign(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);  // this operand gives the sign
  const T* b = Lanes<T>(frame, step.b);
  StoreLanes(Lanes<T>(frame, step.d), mask, [=](int i) { return std::copysign(b[i], a[i]); });
}

template <class T>
bool Tests(T value, std::uint64_t what) {
  switch (what) {
    case 0:
      return std::isfinite(value);
    case 1:
      return std::isinf(value);
    case 2:
      return value == value;
    case 3:
      return value != value;
    case 4:
      return std::isnormal(value) || value == 0;  // zero counts as normal in PTX
    default:
      return std::fpclassify(value) == FP_SUBNORMAL;
  }
}
template <class T>
void TestLanes(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  StorePredicate(frame, step.d, mask, LanesWhere([&](int i) { return Tests(a[i], step.data); }));
}

}  // namespace

// Rounds the approximate forms correctly, which is within every documented bound. This includes
// div.approx by a divisor above 2^126, for which PTX allows 0.
StepFunction DecodeFloatAdd(Operands& o, Step& s) { return DecodeArithmetic<FAdd>(o, s); }
StepFunction DecodeFloatSub(Operands& o, Step& s) { return DecodeArithmetic<FSub>(o, s); }
StepFunction DecodeFloatMul(Operands& o, Step& s) { return DecodeArithmetic<FMul>(o, s); }
StepFunction DecodeFloatDiv(Operands& o, Step& s) { return DecodeArithmetic<FDiv>(o, s); }
StepFunction DecodeFloatAbs(Operands& o, Step& s) { return DecodeSign<false>(o, s); }
StepFunction DecodeFloatNeg(Operands& o, Step& s) { return DecodeSign<true>(o, s); }
StepFunction DecodeFloatMin(Operands& o, Step& s) { return DecodeExtreme<false>(o, s); }
StepFunction DecodeFloatMax(Operands& o, Step& s) { return DecodeExtreme<true>(o, s); }
StepFunction DecodeFma(Operands& o, Step& s) { return DecodeArithmetic<FFma>(o, s); }
StepFunction DecodeCopysign(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  return OnFloat(operands.type(), []<class T>() { return &CopySign<T>; });
}
StepFunction DecodeTestp(Operands& operands, Step& step) {
  step.d = operands.DestinationPredicate(0);
  step.a = operands.Source(1, ptx::Bytes(operands.type()));
  for (const char* what : {"finite", "infinite", "number", "notanumber", "normal"}) {
    if (operands.modifiers().suffixes.Has(what)) break;
    ++step.data;
  }
  return OnFloat(operands.type(), []<class T>() { return &TestLanes<T>; });
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
