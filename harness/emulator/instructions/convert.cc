// Executes conversions: cvt. The usual forms are plain loops; all others use Convert(), which
// handles every form.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_convert.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using ptx::Rounding;
using ptx::Type;

// Extends the low part of a register, of type T, to the register type D.
template <class T>
struct ExtendOp {
  template <class R>
  T operator()(R value) const {
    return static_cast<T>(value);
  }
};
template <class F, class I>
struct IntegerToFloatOp {
  template <class R>
  F operator()(R value) const {
    return static_cast<F>(static_cast<I>(value));
  }
};
template <class I, Rounding rounding>
struct FloatToIntegerOp {
  template <class F>
  I operator()(F value) const {
    return ToInteger<I, rounding>(value);
  }
};
template <Rounding rounding, bool ftz>
struct IntegralOp {
  float operator()(float value) const {
    return CanonicalNan(ToIntegral<rounding>(ftz ? FlushSubnormal(value) : value));
  }
  double operator()(double value) const { return CanonicalNan(ToIntegral<rounding>(value)); }
};
template <bool ftz>
struct WidenOp {
  double operator()(float value) const {
    return CanonicalNan(double{ftz ? FlushSubnormal(value) : value});
  }
};
template <bool ftz>
struct NarrowOp {
  float operator()(double value) const {
    const float result = CanonicalNan(static_cast<float>(value));
    return ftz ? FlushSubnormal(result) : result;
  }
};
template <auto narrow>
struct PairOp {
  std::uint32_t operator()(float high, float low) const {
    return std::uint32_t{narrow(high)} << 16 | narrow(low);
  }
};

template <class D, class A>
void ConvertEach(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto how = std::bit_cast<Conversion>(step.data);
  const A* a = Lanes<A>(frame, step.a);
  D* d = Lanes<D>(frame, step.d);
  ForEachLane(mask, [&](int i) { d[i] = static_cast<D>(Convert(how, a[i])); });
}
// Converts two f32 to one f16x2 or bf16x2. The first f32 goes to the upper half.
void ConvertPairEach(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto how = std::bit_cast<Conversion>(step.data);
  const auto* a = Lanes<std::uint32_t>(frame, step.a);
  const auto* b = Lanes<std::uint32_t>(frame, step.b);
  auto* d = Lanes<std::uint32_t>(frame, step.d);
  ForEachLane(mask, [&](int i) {
    d[i] = static_cast<std::uint32_t>(Convert(how, a[i]) << 16 | Convert(how, b[i]));
  });
}

template <class F>
StepFunction OnAnyInteger(Type type, F f) {
  if (type == Type::kU8) return f.template operator()<std::uint8_t>();
  return type == Type::kS8 ? f.template operator()<std::int8_t>() : OnInteger(type, f);
}

StepFunction IntegerToInteger(const Conversion& how) {
  if (how.sat) return nullptr;
  const bool widens = ptx::Bytes(how.to) > ptx::Bytes(how.from);
  // The value is sign-extended to the type, then zero-extended to the register.
  const bool twice = widens && ptx::IsSigned(how.from) && !ptx::IsSigned(how.to) &&
                     how.to_bytes > ptx::Bytes(how.to);
  if (twice) return nullptr;
  return OnAnyInteger(widens ? how.from : how.to, [&how]<class T>() {
    return OnRegister<T>(how.to_bytes, [&how]<class D>() {
      return OnRegister<T>(how.from_bytes, []<class A>() { return &Unary<D, A, ExtendOp<T>>; });
    });
  });
}

StepFunction IntegerToFloat(const Conversion& how) {
  if (how.sat || how.rounding != Rounding::kRn || how.to_bytes != ptx::Bytes(how.to)) {
    return nullptr;
  }
  return OnFloat(how.to, [&how]<class F>() {
    return OnAnyInteger(how.from, [&how]<class I>() {
      return OnRegister<I>(how.from_bytes,
                           []<class A>() { return &Unary<F, A, IntegerToFloatOp<F, I>>; });
    });
  });
}

template <class F>
StepFunction OnIntegralRounding(Rounding rounding, F f) {
  if (rounding == Rounding::kRni) return f.template operator()<Rounding::kRni>();
  if (rounding == Rounding::kRzi) return f.template operator()<Rounding::kRzi>();
  if (rounding == Rounding::kRmi) return f.template operator()<Rounding::kRmi>();
  return rounding == Rounding::kRpi ? f.template operator()<Rounding::kRpi>() : nullptr;
}

StepFunction FloatToInteger(const Conversion& how) {
  const bool plain = how.to_bytes == ptx::Bytes(how.to) && how.from_bytes == ptx::Bytes(how.from);
  // Flushing the input changes the result only for directed roundings.
  const bool nearest = how.rounding == Rounding::kRni || how.rounding == Rounding::kRzi;
  if (!plain || (how.ftz && !nearest)) return nullptr;
  return OnFloat(how.from, [&how]<class F>() {
    return OnInteger(how.to, [&how]<class I>() -> StepFunction {
      if constexpr (sizeof(I) < 4) return nullptr;
      return OnIntegralRounding(how.rounding, []<Rounding rounding>() {
        return &Unary<I, F, FloatToIntegerOp<I, rounding>>;
      });
    });
  });
}

StepFunction ToIntegralFloat(const Conversion& how) {
  return OnIntegralRounding(how.rounding, [&how]<Rounding rounding>() -> StepFunction {
    if (how.to == Type::kF64) return &Unary<double, double, IntegralOp<rounding, false>>;
    return OnFlags([]<bool ftz>() { return &Unary<float, float, IntegralOp<rounding, ftz>>; },
                   how.ftz);
  });
}

StepFunction FloatToFloat(const Conversion& how) {
  const bool plain = how.to_bytes == ptx::Bytes(how.to) && how.from_bytes == ptx::Bytes(how.from);
  if (!plain || how.sat || how.relu) return nullptr;
  const bool nearest = how.rounding == Rounding::kRn;
  if (how.from == Type::kF32 && how.to == Type::kF64) {
    return OnFlags([]<bool ftz>() { return &Unary<double, float, WidenOp<ftz>>; }, how.ftz);
  }
  if (how.from == Type::kF64 && how.to == Type::kF32 && nearest) {
    return OnFlags([]<bool ftz>() { return &Unary<float, double, NarrowOp<ftz>>; }, how.ftz);
  }
  if (how.to == how.from && ptx::Bytes(how.to) >= 4) return ToIntegralFloat(how);
  if (how.from == Type::kF16 && how.to == Type::kF32) {  // the value is never subnormal
    return &Unary<float, std::uint16_t, FunctionOp<HalfToFloat>>;
  }
  if (how.ftz) return nullptr;
  if (how.from == Type::kBf16 && how.to == Type::kF32) {
    return &Unary<float, std::uint16_t, FunctionOp<BrainToFloat>>;
  }
  if (how.from != Type::kF32 || !nearest) return nullptr;
  if (how.to == Type::kF16) return &Unary<std::uint16_t, float, FunctionOp<FloatToHalf>>;
  if (how.to == Type::kBf16) return &Unary<std::uint16_t, float, FunctionOp<FloatToBrain>>;
  return nullptr;
}

StepFunction PlainConversion(const Conversion& how) {
  if (IsInteger(how.from)) {
    return IsInteger(how.to) ? IntegerToInteger(how) : IntegerToFloat(how);
  }
  return IsInteger(how.to) ? FloatToInteger(how) : FloatToFloat(how);
}

StepFunction DecodePair(Operands& operands, Step& step, const Conversion& how) {
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, 4);
  step.b = operands.Source(2, 4);
  if (how.sat || how.relu || how.ftz || how.rounding != Rounding::kRn) return &ConvertPairEach;
  return how.to == Type::kF16x2 ? &Binary<std::uint32_t, float, float, PairOp<FloatToHalf>>
                                : &Binary<std::uint32_t, float, float, PairOp<FloatToBrain>>;
}

// Packs two s32, each saturated to step.data bits. The first goes above the second, and both go
// below c, if there is a c. step.flip says whether the result is signed.
void PackSaturated(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto* a = Lanes<std::int32_t>(frame, step.a);
  const auto* b = Lanes<std::int32_t>(frame, step.b);
  const auto* c = Lanes<std::uint32_t>(frame, step.c);
  const auto bits = static_cast<std::uint32_t>(step.data);
  const std::int32_t top = (1 << (step.flip != 0 ? bits - 1 : bits)) - 1;
  const std::int32_t low = step.flip != 0 ? -top - 1 : 0;
  const auto saturated = [=](std::int32_t value) {
    return static_cast<std::uint32_t>(std::clamp(value, low, top)) & ((1U << bits) - 1);
  };
  StoreLanes(Lanes<std::uint32_t>(frame, step.d), mask, [=](int i) {
    const std::uint32_t pair = saturated(a[i]) << bits | saturated(b[i]);
    return bits == 16 ? pair : c[i] << (2 * bits) | pair;
  });
}

// Returns the width of an operand: the width of a register, which may exceed the type's width, or
// the width of a constant.
std::uint8_t OperandBytes(const Operands& operands, std::size_t index, Type type) {
  const std::uint32_t bytes = operands.RegisterBytes(index);
  return static_cast<std::uint8_t>(bytes != 0 ? bytes : std::max(ptx::Bytes(type), 4u));
}

}  // namespace

StepFunction DecodeCvtPack(Operands& operands, Step& step) {
  const std::string& type =
      operands.modifiers().suffixes[1];  // the suffix after .sat, such as "s8"
  step.flip = type[0] == 's' ? 1 : 0;
  step.data = type == "u16" || type == "s16" ? 16 : static_cast<std::uint64_t>(type[1] - '0');
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, 4);
  step.b = operands.Source(2, 4);
  step.c = operands.size() > 3 ? operands.Source(3, 4) : step.a;
  return &PackSaturated;
}

StepFunction DecodeCvt(Operands& operands, Step& step) {
  const ptx::Modifiers& modifiers = operands.modifiers();
  const Type to = modifiers.type;
  const Type from = modifiers.source_type;
  const Conversion how{
      to,
      from,
      modifiers.rounding,
      modifiers.ftz,
      modifiers.sat,
      modifiers.suffixes.Has("relu"),
      OperandBytes(operands, 0, to),
      OperandBytes(operands, 1, from),
  };
  if (how.to_bytes > 8 || how.from_bytes > 8) return nullptr;
  step.data = std::bit_cast<std::uint64_t>(how);
  if (to == Type::kF16x2 || to == Type::kBf16x2) return DecodePair(operands, step, how);
  step.d = operands.Destination(0, how.to_bytes);
  step.a = operands.Source(1, how.from_bytes);
  const StepFunction plain = PlainConversion(how);
  if (plain != nullptr) return plain;
  return OnRegister<std::uint8_t>(how.to_bytes, [&how]<class D>() {
    return OnRegister<std::uint8_t>(how.from_bytes, []<class A>() { return &ConvertEach<D, A>; });
  });
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
