// Executes reciprocals, roots and the approximate functions.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_math.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using ptx::Rounding;
using ptx::Type;

// These are computed in f32, and the processor rounds them correctly.
using ReciprocalOp = decltype([](float a) -> float { return 1.0f / a; });
using SquareRootOp = decltype([](float a) -> float { return std::sqrt(a); });

// Executes an operation on f32. The result of Op is rounded to f32.
template <class Op, bool ftz>
struct SingleOp {
  float operator()(float a) const {
    const float result = CanonicalNan(static_cast<float>(Op{}(ftz ? FlushSubnormal(a) : a)));
    return ftz ? FlushSubnormal(result) : result;
  }
};

// Does the same for one or two f16 or bf16 in a register. `widen` and `narrow` convert to f32 and
// back.
template <class Op, auto widen, auto narrow, bool ftz>
struct NarrowOp {
  // bf16 has the exponents of f32, and its subnormal numbers have the same range.
  static constexpr int kSubnormalMask = 0x7f80;
  static std::uint16_t Flush(std::uint16_t a) {
    return static_cast<std::uint16_t>(ftz && (a & kSubnormalMask) == 0 ? a & 0x8000 : a);
  }
  std::uint16_t operator()(std::uint16_t a) const {
    return Flush(narrow(static_cast<float>(Op{}(widen(Flush(a))))));
  }
  std::uint32_t operator()(std::uint32_t pair) const {
    const auto low = static_cast<std::uint16_t>(pair);
    const auto high = static_cast<std::uint16_t>(pair >> 16);
    return std::uint32_t{(*this)(high)} << 16 | (*this)(low);
  }
};
template <class Op>
using HalfOp = NarrowOp<Op, HalfToFloat, FloatToHalf, false>;
template <class Op, bool ftz>
using BrainOp = NarrowOp<Op, BrainToFloat, FloatToBrain, ftz>;

using DoubleInverseRootOp = decltype([](double a) -> double {
  return CanonicalNan(InverseRoot(a));
});

template <class Op>
StepFunction Single(const Operands& operands) {
  return OnFlags([]<bool ftz>() { return &Unary<float, float, SingleOp<Op, ftz>>; },
                 operands.modifiers().ftz);
}
template <class Op>
StepFunction DecodeEach(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  return OnFlags([]<bool ftz>() { return &UnaryEach<float, float, SingleOp<Op, ftz>>; },
                 operands.modifiers().ftz);
}

template <class Op>
StepFunction DecodeAnyWidth(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  const bool ftz = operands.modifiers().ftz;
  switch (operands.type()) {
    case Type::kF32:
      return Single<Op>(operands);
    case Type::kF16:
      return &Unary<U16, U16, HalfOp<Op>>;
    case Type::kF16x2:
      return &Unary<U32, U32, HalfOp<Op>>;
    case Type::kBf16:
      return OnFlags([]<bool flush>() { return &Unary<U16, U16, BrainOp<Op, flush>>; }, ftz);
    case Type::kBf16x2:
      return OnFlags([]<bool flush>() { return &Unary<U32, U32, BrainOp<Op, flush>>; }, ftz);
    default:
      return nullptr;
  }
}

// Executes a rounding other than .rn. step.data has the rounding.
using RoundedReciprocal = decltype([]<class T>(T a, Rounding rounding) -> T {
  return CanonicalNan(ReciprocalRounded(a, rounding));
});
using RoundedRoot = decltype([]<class T>(T a, Rounding rounding) -> T {
  return CanonicalNan(SquareRootRounded(a, rounding));
});
template <class T, class Op, bool ftz>
void Rounded(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  T* d = Lanes<T>(frame, step.d);
  const T* a = Lanes<T>(frame, step.a);
  const auto rounding = static_cast<Rounding>(step.data);
  ForEachLane(mask, [=](int i) {
    if constexpr (ftz) {
      d[i] = FlushSubnormal(Op{}(FlushSubnormal(a[i]), rounding));
    } else {
      d[i] = Op{}(a[i], rounding);
    }
  });
}

template <class Op, class Nearest>
StepFunction RoundedForms(const Operands& operands, Step& step) {
  const Rounding rounding = operands.modifiers().rounding;
  const bool single = operands.type() == Type::kF32;
  const bool nearest = rounding == Rounding::kNone || rounding == Rounding::kRn;  // .approx or .rn
  if (single && nearest) return Single<Nearest>(operands);
  step.data = static_cast<std::uint64_t>(nearest ? Rounding::kRn : rounding);
  if (!single) return &Rounded<double, Op, false>;
  return operands.modifiers().ftz ? &Rounded<float, Op, true> : &Rounded<float, Op, false>;
}

}  // namespace

StepFunction DecodeRcp(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  if (operands.type() == Type::kF64 && operands.modifiers().approx) {
    return &Unary<double, double, FunctionOp<GrossReciprocal>>;
  }
  return RoundedForms<RoundedReciprocal, ReciprocalOp>(operands, step);
}
StepFunction DecodeSqrt(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  return RoundedForms<RoundedRoot, SquareRootOp>(operands, step);
}
StepFunction DecodeRsqrt(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  if (operands.type() == Type::kF32) return Single<FunctionOp<InverseRoot>>(operands);
  return operands.modifiers().ftz ? &Unary<double, double, FunctionOp<GrossInverseRoot>>
                                  : &Unary<double, double, DoubleInverseRootOp>;
}
StepFunction DecodeSin(Operands& o, Step& s) { return DecodeEach<FunctionOp<Sine>>(o, s); }
StepFunction DecodeCos(Operands& o, Step& s) { return DecodeEach<FunctionOp<Cosine>>(o, s); }
StepFunction DecodeLg2(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return Single<FunctionOp<Log2>>(operands);
}
StepFunction DecodeEx2(Operands& o, Step& s) { return DecodeAnyWidth<FunctionOp<Power>>(o, s); }
StepFunction DecodeTanh(Operands& o, Step& s) { return DecodeAnyWidth<FunctionOp<Tanh>>(o, s); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA
