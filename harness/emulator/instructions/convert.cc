// cvt. The usual forms are plain loops; all others go through Convert(), which knows every one.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_convert.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using ptx::Rounding;
using ptx::Type;

// The low part of a register as a T, extended to the register D.
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
using HalfToFloatOp = decltype([](std::uint16_t value) -> float { return HalfToFloat(value); });
using BrainToFloatOp = decltype([](std::uint16_t value) -> float { return BrainToFloat(value); });
using FloatToHalfOp = decltype([](float value) -> std::uint16_t { return FloatToHalf(value); });
using FloatToBrainOp = decltype([](float value) -> std::uint16_t { return FloatToBrain(value); });
template <class Op>
struct PairOp {
  std::uint32_t operator()(float high, float low) const {
    return std::uint32_t{Op{}(high)} << 16 | Op{}(low);
  }
};

std::uint64_t LoadLane(const std::byte* frame, Slot slot, std::uint32_t bytes, int lane) {
  switch (bytes) {
    case 1:
      return Lanes<const std::uint8_t>(const_cast<std::byte*>(frame), slot)[lane];
    case 2:
      return Lanes<const std::uint16_t>(const_cast<std::byte*>(frame), slot)[lane];
    case 4:
      return Lanes<const std::uint32_t>(const_cast<std::byte*>(frame), slot)[lane];
    default:
      return Lanes<const std::uint64_t>(const_cast<std::byte*>(frame), slot)[lane];
  }
}
void StoreLane(std::byte* frame, Slot slot, std::uint32_t bytes, int lane, std::uint64_t bits) {
  switch (bytes) {
    case 1:
      Lanes<std::uint8_t>(frame, slot)[lane] = static_cast<std::uint8_t>(bits);
      break;
    case 2:
      Lanes<std::uint16_t>(frame, slot)[lane] = static_cast<std::uint16_t>(bits);
      break;
    case 4:
      Lanes<std::uint32_t>(frame, slot)[lane] = static_cast<std::uint32_t>(bits);
      break;
    default:
      Lanes<std::uint64_t>(frame, slot)[lane] = bits;
      break;
  }
}

void ConvertEach(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto how = std::bit_cast<Conversion>(step.data);
  ForEachLane(mask, [&](int i) {
    const std::uint64_t bits = LoadLane(frame, step.a, how.from_bytes, i);
    StoreLane(frame, step.d, how.to_bytes, i, Convert(how, bits));
  });
}
// Two f32 to one f16x2 or bf16x2, the first one to the upper half.
void ConvertPairEach(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto how = std::bit_cast<Conversion>(step.data);
  ForEachLane(mask, [&](int i) {
    const std::uint64_t high = Convert(how, LoadLane(frame, step.a, 4, i));
    const std::uint64_t low = Convert(how, LoadLane(frame, step.b, 4, i));
    StoreLane(frame, step.d, 4, i, high << 16 | low);
  });
}

// Registers of 2, 4 and 8 bytes that can hold a T.
template <class T, class F>
StepFunction OnRegister(std::uint32_t bytes, F f) {
  if constexpr (sizeof(T) <= 2) {
    if (bytes == 2) return f.template operator()<std::uint16_t>();
  }
  if constexpr (sizeof(T) <= 4) {
    if (bytes == 4) return f.template operator()<std::uint32_t>();
  }
  return bytes == 8 ? f.template operator()<std::uint64_t>() : nullptr;
}

template <class F>
StepFunction OnAnyInteger(Type type, F f) {
  switch (type) {
    case Type::kU8:
      return f.template operator()<std::uint8_t>();
    case Type::kS8:
      return f.template operator()<std::int8_t>();
    default:
      return OnInteger(type, f);
  }
}

StepFunction IntegerToInteger(const Conversion& how) {
  if (how.sat) return nullptr;
  const bool widens = ptx::Bytes(how.to) > ptx::Bytes(how.from);
  // Sign-extended to the type, then zero-extended to the register.
  const bool twice = widens && ptx::IsSigned(how.from) && !ptx::IsSigned(how.to) &&
                     how.to_bytes > ptx::Bytes(how.to);
  if (twice) return nullptr;
  return OnAnyInteger(widens ? how.from : how.to, [&how]<class T>() {
    return OnRegister<T>(how.to_bytes, [&how]<class D>() {
      return OnRegister<T>(how.from_bytes,
                           []<class A>() -> StepFunction { return &Unary<D, A, ExtendOp<T>>; });
    });
  });
}

StepFunction IntegerToFloat(const Conversion& how) {
  if (how.sat || how.rounding != Rounding::kRn || how.to_bytes != ptx::Bytes(how.to)) {
    return nullptr;
  }
  return OnFloat(how.to, [&how]<class F>() {
    return OnAnyInteger(how.from, [&how]<class I>() {
      return OnRegister<I>(how.from_bytes, []<class A>() -> StepFunction {
        return &Unary<F, A, IntegerToFloatOp<F, I>>;
      });
    });
  });
}

template <class F>
StepFunction OnIntegralRounding(Rounding rounding, F f) {
  switch (rounding) {
    case Rounding::kRni:
      return f.template operator()<Rounding::kRni>();
    case Rounding::kRzi:
      return f.template operator()<Rounding::kRzi>();
    case Rounding::kRmi:
      return f.template operator()<Rounding::kRmi>();
    case Rounding::kRpi:
      return f.template operator()<Rounding::kRpi>();
    default:
      return nullptr;
  }
}

StepFunction FloatToInteger(const Conversion& how) {
  const bool plain = how.to_bytes == ptx::Bytes(how.to) && how.from_bytes == ptx::Bytes(how.from);
  // A flushed input matters to the directed roundings only.
  const bool nearest = how.rounding == Rounding::kRni || how.rounding == Rounding::kRzi;
  if (!plain || (how.ftz && !nearest)) return nullptr;
  return OnFloat(how.from, [&how]<class F>() {
    return OnInteger(how.to, [&how]<class I>() -> StepFunction {
      if constexpr (sizeof(I) < 4) {
        return nullptr;
      } else {
        return OnIntegralRounding(how.rounding, []<Rounding rounding>() -> StepFunction {
          return &Unary<I, F, FloatToIntegerOp<I, rounding>>;
        });
      }
    });
  });
}

StepFunction ToIntegralFloat(const Conversion& how) {
  return OnIntegralRounding(how.rounding, [&how]<Rounding rounding>() -> StepFunction {
    if (how.to == Type::kF64) return &Unary<double, double, IntegralOp<rounding, false>>;
    return how.ftz ? &Unary<float, float, IntegralOp<rounding, true>>
                   : &Unary<float, float, IntegralOp<rounding, false>>;
  });
}

StepFunction FloatToFloat(const Conversion& how) {
  const bool plain = how.to_bytes == ptx::Bytes(how.to) && how.from_bytes == ptx::Bytes(how.from);
  if (!plain || how.sat || how.relu) return nullptr;
  const bool nearest = how.rounding == Rounding::kRn;
  const bool half = how.from == Type::kF16 && how.to == Type::kF32;
  if (how.from == Type::kF32 && how.to == Type::kF64) {
    return how.ftz ? &Unary<double, float, WidenOp<true>> : &Unary<double, float, WidenOp<false>>;
  }
  if (how.from == Type::kF64 && how.to == Type::kF32 && nearest) {
    return how.ftz ? &Unary<float, double, NarrowOp<true>> : &Unary<float, double, NarrowOp<false>>;
  }
  if (how.to == how.from && ptx::Bytes(how.to) >= 4) return ToIntegralFloat(how);
  if (half) return &Unary<float, std::uint16_t, HalfToFloatOp>;  // never subnormal
  if (how.ftz) return nullptr;
  if (how.from == Type::kBf16 && how.to == Type::kF32) {
    return &Unary<float, std::uint16_t, BrainToFloatOp>;
  }
  if (how.from != Type::kF32 || !nearest) return nullptr;
  if (how.to == Type::kF16) return &Unary<std::uint16_t, float, FloatToHalfOp>;
  if (how.to == Type::kBf16) return &Unary<std::uint16_t, float, FloatToBrainOp>;
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
  return how.to == Type::kF16x2 ? &Binary<std::uint32_t, float, float, PairOp<FloatToHalfOp>>
                                : &Binary<std::uint32_t, float, float, PairOp<FloatToBrainOp>>;
}

// Two s32, saturated to `bits` each: the first one goes above the second, both below c, where there
// is one. step.data: the bits; step.flip: whether the result is signed.
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

// Bytes of the operand: of a register that may be wider than the type; else of a constant.
std::uint8_t OperandBytes(const Operands& operands, std::size_t index, Type type) {
  const std::uint32_t bytes = operands.RegisterBytes(index);
  return static_cast<std::uint8_t>(bytes != 0 ? bytes : std::max(ptx::Bytes(type), 4u));
}

}  // namespace

StepFunction DecodeCvtPack(Operands& operands, Step& step) {
  const std::string& type = operands.modifiers().suffixes[1];  // "s8": after .sat
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
  return plain != nullptr ? plain : &ConvertEach;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
