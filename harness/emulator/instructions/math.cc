// Reciprocals, roots and the approximate functions.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_math.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using ptx::Rounding;
using ptx::Type;

#define MATH_OP(Name, function)                           \
  struct Name {                                           \
    double operator()(float a) const { return function; } \
  }
MATH_OP(InverseRootOp, InverseRoot(a));
MATH_OP(SineOp, Sine(a));
MATH_OP(CosineOp, Cosine(a));
MATH_OP(Log2Op, Log2(a));
MATH_OP(PowerOp, Power(a));
MATH_OP(TanhOp, Tanh(a));
#undef MATH_OP

// In f32, correctly rounded by the processor.
using ReciprocalOp = decltype([](float a) -> float { return 1.0f / a; });
using SquareRootOp = decltype([](float a) -> float { return std::sqrt(a); });

// An operation on f32, whose result is f32 or is rounded to it.
template <class Op, bool ftz>
struct SingleOp {
  float operator()(float a) const {
    const float result = CanonicalNan(static_cast<float>(Op{}(ftz ? FlushSubnormal(a) : a)));
    return ftz ? FlushSubnormal(result) : result;
  }
};

enum class Narrow { kHalf, kBrain };

// The same for f16 and bf16, one or two in a register.
template <class Op, Narrow format>
std::uint16_t NarrowLane(std::uint16_t a) {
  if constexpr (format == Narrow::kHalf) {
    return FloatToHalf(static_cast<float>(Op{}(HalfToFloat(a))));
  } else {
    return FloatToBrain(static_cast<float>(Op{}(BrainToFloat(a))));
  }
}
template <class Op, Narrow format, bool ftz>
struct NarrowOp {
  // bf16 has the exponents of f32, and its subnormal numbers in the same place.
  static constexpr int kSubnormalMask = 0x7f80;
  static std::uint16_t Flush(std::uint16_t a) {
    return static_cast<std::uint16_t>(ftz && (a & kSubnormalMask) == 0 ? a & 0x8000 : a);
  }
  std::uint16_t operator()(std::uint16_t a) const {
    return Flush(NarrowLane<Op, format>(Flush(a)));
  }
  std::uint32_t operator()(std::uint32_t pair) const {
    const auto low = static_cast<std::uint16_t>(pair);
    const auto high = static_cast<std::uint16_t>(pair >> 16);
    return std::uint32_t{(*this)(high)} << 16 | (*this)(low);
  }
};

using GrossReciprocalOp = decltype([](double a) -> double { return GrossReciprocal(a); });
using GrossInverseRootOp = decltype([](double a) -> double { return GrossInverseRoot(a); });
using DoubleInverseRootOp = decltype([](double a) -> double {
  return CanonicalNan(InverseRoot(a));
});

template <class Op>
StepFunction Single(const Operands& operands) {
  return operands.modifiers().ftz ? &Unary<float, float, SingleOp<Op, true>>
                                  : &Unary<float, float, SingleOp<Op, false>>;
}
template <class Op>
StepFunction SingleEach(const Operands& operands) {
  return operands.modifiers().ftz ? &UnaryEach<float, float, SingleOp<Op, true>>
                                  : &UnaryEach<float, float, SingleOp<Op, false>>;
}

template <class Op>
StepFunction AnyWidth(const Operands& operands) {
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  switch (operands.type()) {
    case Type::kF32:
      return Single<Op>(operands);
    case Type::kF16:
      return &Unary<U16, U16, NarrowOp<Op, Narrow::kHalf, false>>;
    case Type::kF16x2:
      return &Unary<U32, U32, NarrowOp<Op, Narrow::kHalf, false>>;
    case Type::kBf16:
      return operands.modifiers().ftz ? &Unary<U16, U16, NarrowOp<Op, Narrow::kBrain, true>>
                                      : &Unary<U16, U16, NarrowOp<Op, Narrow::kBrain, false>>;
    case Type::kBf16x2:
      return operands.modifiers().ftz ? &Unary<U32, U32, NarrowOp<Op, Narrow::kBrain, true>>
                                      : &Unary<U32, U32, NarrowOp<Op, Narrow::kBrain, false>>;
    default:
      return nullptr;
  }
}

// With a rounding other than .rn, which is in step.data.
template <class T>
struct RoundedReciprocal {
  T operator()(T a, Rounding rounding) const {
    return CanonicalNan(ReciprocalRounded(a, rounding));
  }
};
template <class T>
struct RoundedRoot {
  T operator()(T a, Rounding rounding) const {
    return CanonicalNan(SquareRootRounded(a, rounding));
  }
};
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

template <template <class> class Op, class Nearest>
StepFunction RoundedForms(const Operands& operands, Step& step) {
  const Rounding rounding = operands.modifiers().rounding;
  const bool single = operands.type() == Type::kF32;
  const bool nearest = rounding == Rounding::kNone || rounding == Rounding::kRn;  // .approx, .rn
  if (single && nearest) return Single<Nearest>(operands);
  step.data = static_cast<std::uint64_t>(nearest ? Rounding::kRn : rounding);
  if (!single) return &Rounded<double, Op<double>, false>;
  return operands.modifiers().ftz ? &Rounded<float, Op<float>, true>
                                  : &Rounded<float, Op<float>, false>;
}

}  // namespace

StepFunction DecodeRcp(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  if (operands.type() == Type::kF64 && operands.modifiers().approx) {
    return &Unary<double, double, GrossReciprocalOp>;
  }
  return RoundedForms<RoundedReciprocal, ReciprocalOp>(operands, step);
}
StepFunction DecodeSqrt(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  return RoundedForms<RoundedRoot, SquareRootOp>(operands, step);
}
StepFunction DecodeRsqrt(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  if (operands.type() == Type::kF32) return Single<InverseRootOp>(operands);
  return operands.modifiers().ftz ? &Unary<double, double, GrossInverseRootOp>
                                  : &Unary<double, double, DoubleInverseRootOp>;
}
StepFunction DecodeSin(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return SingleEach<SineOp>(operands);
}
StepFunction DecodeCos(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return SingleEach<CosineOp>(operands);
}
StepFunction DecodeLg2(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return Single<Log2Op>(operands);
}
StepFunction DecodeEx2(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  return AnyWidth<PowerOp>(operands);
}
StepFunction DecodeTanh(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  return AnyWidth<TanhOp>(operands);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
