// Comparison and selection: setp, set, selp, slct.
#include "emulator/instructions.h"
#include "emulator/lane_float.h"
#include "emulator/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

// How a and b may stand to each other, as bits; each comparison is a set of them.
enum : std::uint32_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

std::uint32_t RelationsOf(ptx::Compare compare) {
  using enum ptx::Compare;
  switch (compare) {
    case kEq:
      return kEqual;
    case kNe:
      return kLess | kGreater;
    case kLt:
    case kLo:
      return kLess;
    case kLe:
    case kLs:
      return kLess | kEqual;
    case kGt:
    case kHi:
      return kGreater;
    case kGe:
    case kHs:
      return kGreater | kEqual;
    case kEqu:
      return kEqual | kUnordered;
    case kNeu:
      return kLess | kGreater | kUnordered;
    case kLtu:
      return kLess | kUnordered;
    case kLeu:
      return kLess | kEqual | kUnordered;
    case kGtu:
      return kGreater | kUnordered;
    case kGeu:
      return kGreater | kEqual | kUnordered;
    case kNum:
      return kLess | kEqual | kGreater;
    case kNan:
      return kUnordered;
    default:
      return 0;
  }
}

template <class T>
LaneMask Compare(std::byte* frame, const Step& step, std::uint32_t relations) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  LaneMask less = LanesWhere([=](int i) { return a[i] < b[i]; });
  LaneMask equal = LanesWhere([=](int i) { return a[i] == b[i]; });
  LaneMask greater = LanesWhere([=](int i) { return a[i] > b[i]; });
  LaneMask result = 0;
  if ((relations & kLess) != 0) result |= less;
  if ((relations & kEqual) != 0) result |= equal;
  if ((relations & kGreater) != 0) result |= greater;
  if ((relations & kUnordered) != 0) result |= ~(less | equal | greater);
  return result;
}

// The integer and plain float comparisons, one pass each.
template <class T, std::uint32_t relations>
struct Fast {
  static LaneMask Of(std::byte* frame, const Step& step) {
    const T* a = Lanes<T>(frame, step.a);
    const T* b = Lanes<T>(frame, step.b);
    return LanesWhere([=](int i) {
      if constexpr (relations == kLess) return a[i] < b[i];
      if constexpr (relations == (kLess | kEqual)) return a[i] <= b[i];
      if constexpr (relations == kGreater) return a[i] > b[i];
      if constexpr (relations == (kGreater | kEqual)) return a[i] >= b[i];
      if constexpr (relations == kEqual) return a[i] == b[i];
      return a[i] != b[i];
    });
  }
};

template <class T, std::uint32_t relations>
void SetpFast(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  StorePredicate(frame, step.d, mask, Fast<T, relations>::Of(frame, step));
}

// step.data: relations, then from bit 8 the BoolOp, bit 16 ftz, bit 17: q is wanted.
LaneMask Joined(std::uint64_t data, LaneMask value, LaneMask with) {
  switch (static_cast<ptx::BoolOp>(data >> 8 & 0xff)) {
    case ptx::BoolOp::kAnd:
      return value & with;
    case ptx::BoolOp::kOr:
      return value | with;
    case ptx::BoolOp::kXor:
      return value ^ with;
    default:
      return value;
  }
}
// Numbers of 16 bits, the `part`th of `parts` in each register.
template <class F, int part, int parts>
struct ShortFloat {
  static constexpr std::uint16_t kLeastNormal = F::kLeastNormal;
  static double Of(std::uint16_t bits) { return F::ToDouble(bits); }
  static constexpr int kPart = part;
  static constexpr int kParts = parts;
};
template <class T>
concept IsShort = requires {
  T::kParts;
};

template <IsShort T>
LaneMask Relate(std::byte* frame, const Step& step) {
  const auto relations = static_cast<std::uint32_t>(step.data & 0xff);
  const bool ftz = (step.data >> 16 & 1) != 0;
  const auto* a = Lanes<std::uint16_t>(frame, step.a);
  const auto* b = Lanes<std::uint16_t>(frame, step.b);
  const auto value = [ftz](std::uint16_t bits) {
    return ftz && (bits & 0x7fff) < T::kLeastNormal ? 0.0 : T::Of(bits);
  };
  return LanesWhere([=](int i) {
    const double x = value(a[i * T::kParts + T::kPart]);
    const double y = value(b[i * T::kParts + T::kPart]);
    const std::uint32_t is = x < y ? kLess : x == y ? kEqual : x > y ? kGreater : kUnordered;
    return (relations & is) != 0;
  });
}
template <class T>
LaneMask Relate(std::byte* frame, const Step& step) {
  const auto relations = static_cast<std::uint32_t>(step.data & 0xff);
  if constexpr (std::is_same_v<T, float>) {
    if ((step.data >> 16 & 1) != 0) {
      const float* a = Lanes<float>(frame, step.a);
      const float* b = Lanes<float>(frame, step.b);
      return LanesWhere([=](int i) {
        const float x = Flush(a[i]), y = Flush(b[i]);
        const std::uint32_t is = x < y ? kLess : x == y ? kEqual : x > y ? kGreater : kUnordered;
        return (relations & is) != 0;
      });
    }
  }
  return Compare<T>(frame, step, relations);
}
template <class T>
void Setp(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask value = Relate<T>(frame, step);
  const LaneMask with = Predicate(frame, step.c) ^ step.flip;
  const LaneMask p = Joined(step.data, value, with);
  const LaneMask q = Joined(step.data, ~value, with);
  StorePredicate(frame, step.d, mask, p);
  if ((step.data >> 17 & 1) != 0) StorePredicate(frame, step.q, mask, q);
}
// Of pairs: p is the lower half's, q the upper one's.
template <class F>
void SetpPair(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask with = Predicate(frame, step.c) ^ step.flip;
  const LaneMask p = Joined(step.data, Relate<ShortFloat<F, 0, 2>>(frame, step), with);
  const LaneMask q = Joined(step.data, Relate<ShortFloat<F, 1, 2>>(frame, step), with);
  StorePredicate(frame, step.d, mask, p);
  if ((step.data >> 17 & 1) != 0) StorePredicate(frame, step.q, mask, q);
}

// What set gives where it holds: all ones for integers, 1.0 for floats.
std::uint32_t OneOf(ptx::Type type) {
  switch (type) {
    case ptx::Type::kF32:
      return 0x3f800000;
    case ptx::Type::kF16:
    case ptx::Type::kF16x2:
      return 0x3c00;
    case ptx::Type::kBf16:
    case ptx::Type::kBf16x2:
      return 0x3f80;
    default:
      return ~0u;
  }
}
LaneMask JoinedSet(std::byte* frame, const Step& step, LaneMask value) {
  const bool joins = (step.data >> 8 & 0xff) != 0;
  return joins ? Joined(step.data, value, Predicate(frame, step.c) ^ step.flip) : value;
}
// D: a register; the result is in step.data from bit 32 on.
template <class D, class T>
void Set(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask value = JoinedSet(frame, step, Relate<T>(frame, step));
  const D one = static_cast<D>(step.data >> 32);
  StoreLanes(Lanes<D>(frame, step.d), mask,
             [=](int i) { return (value >> i & 1) != 0 ? one : D{0}; });
}
template <class F>
void SetPair(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask low = JoinedSet(frame, step, Relate<ShortFloat<F, 0, 2>>(frame, step));
  const LaneMask high = JoinedSet(frame, step, Relate<ShortFloat<F, 1, 2>>(frame, step));
  const auto one = static_cast<std::uint32_t>(step.data >> 32);
  StoreLanes(Lanes<std::uint32_t>(frame, step.d), mask,
             [=](int i) { return (low >> i & 1) * one | (high >> i & 1) * one << 16; });
}

template <class F>
StepFunction OnComparable(ptx::Type type, F f) {
  if (const StepFunction function = OnFloat(type, f)) return function;
  if (const StepFunction function = OnInteger(type, f)) return function;
  return type >= ptx::Type::kB16 && type <= ptx::Type::kB64 ? OnBits(type, f) : nullptr;
}

template <class T>
StepFunction PickFast(std::uint64_t relations) {
  switch (relations) {
    case kLess:
      return &SetpFast<T, kLess>;
    case kLess | kEqual:
      return &SetpFast<T, kLess | kEqual>;
    case kGreater:
      return &SetpFast<T, kGreater>;
    case kGreater | kEqual:
      return &SetpFast<T, kGreater | kEqual>;
    case kEqual:
      return &SetpFast<T, kEqual>;
    case kLess | kGreater:
      return std::is_integral_v<T> ? &SetpFast<T, kLess | kGreater> : nullptr;
    case kLess | kGreater | kUnordered:
      return &SetpFast<T, kLess | kGreater>;
    default:
      return nullptr;
  }
}

template <class T>
void Selp(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  const LaneMask p = Predicate(frame, step.c) ^ step.flip;
  StoreLanes(Lanes<T>(frame, step.d), mask, [=](int i) { return (p >> i & 1) != 0 ? a[i] : b[i]; });
}

struct SlctOp {
  template <class T>
  T operator()(T a, T b, std::int32_t c) const {
    return c >= 0 ? a : b;
  }
  template <class T>
  T operator()(T a, T b, float c) const {
    return c >= 0 ? a : b;
  }  // -0 and, with .ftz, subnormals
};
struct SlctFlushOp {
  template <class T>
  T operator()(T a, T b, float c) const {
    return Flush(c) >= 0 ? a : b;
  }
};

}  // namespace

StepFunction DecodeSetp(Operands& operands, Step& step) {
  const ptx::Modifiers& modifiers = operands.modifiers();
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  const bool joined = modifiers.bool_op != ptx::BoolOp::kNone;
  step.d = operands.DestinationPredicate(0);
  const bool wants_q = operands.Present(1);
  step.q = wants_q ? operands.DestinationPredicate(1) : step.d;
  step.a = operands.Source(2, bytes);
  step.b = operands.Source(3, bytes);
  step.c = joined ? operands.SourcePredicate(4, step.flip) : step.d;
  const std::uint64_t relations = RelationsOf(modifiers.compare);
  step.data = relations | static_cast<std::uint64_t>(modifiers.bool_op) << 8 |
              (modifiers.ftz ? 1ull << 16 : 0) | (wants_q ? 1ull << 17 : 0);
  switch (operands.type()) {
    case ptx::Type::kF16:
      return &Setp<ShortFloat<Half, 0, 1>>;
    case ptx::Type::kBf16:
      return &Setp<ShortFloat<Brain, 0, 1>>;
    case ptx::Type::kF16x2:
      return &SetpPair<Half>;
    case ptx::Type::kBf16x2:
      return &SetpPair<Brain>;
    default:
      break;
  }
  const bool plain = !joined && !wants_q && !modifiers.ftz;
  return OnComparable(operands.type(), [&]<class T>() -> StepFunction {
    const StepFunction fast = plain ? PickFast<T>(relations) : nullptr;
    return fast != nullptr ? fast : &Setp<T>;
  });
}

StepFunction DecodeSet(Operands& operands, Step& step) {
  const ptx::Modifiers& modifiers = operands.modifiers();
  const std::uint32_t bytes = ptx::Bytes(modifiers.source_type);
  const std::uint32_t to_bytes = ptx::Bytes(modifiers.type);
  step.d = operands.Destination(0, to_bytes);
  step.a = operands.Source(1, bytes);
  step.b = operands.Source(2, bytes);
  if (modifiers.bool_op != ptx::BoolOp::kNone) step.c = operands.SourcePredicate(3, step.flip);
  step.data = RelationsOf(modifiers.compare) | static_cast<std::uint64_t>(modifiers.bool_op) << 8 |
              (modifiers.ftz ? 1ull << 16 : 0) | std::uint64_t{OneOf(modifiers.type)} << 32;
  const bool to_pair = modifiers.type == ptx::Type::kF16x2 || modifiers.type == ptx::Type::kBf16x2;
  const auto on_short = [&]<class F>() -> StepFunction {
    if (bytes == 4) return to_pair ? &SetPair<F> : nullptr;
    if (to_pair) return nullptr;
    using T = ShortFloat<F, 0, 1>;
    return to_bytes == 2 ? &Set<std::uint16_t, T> : &Set<std::uint32_t, T>;
  };
  switch (modifiers.source_type) {
    case ptx::Type::kF16:
    case ptx::Type::kF16x2:
      return on_short.operator()<Half>();
    case ptx::Type::kBf16:
    case ptx::Type::kBf16x2:
      return on_short.operator()<Brain>();
    default:
      break;
  }
  if (to_bytes != 4) return nullptr;
  return OnComparable(modifiers.source_type,
                      []<class T>() -> StepFunction { return &Set<std::uint32_t, T>; });
}

StepFunction DecodeSelp(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  step.b = operands.Source(2, bytes);
  step.c = operands.SourcePredicate(3, step.flip);
  return OnBits(operands.type(), []<class T>() -> StepFunction { return &Selp<T>; });
}

StepFunction DecodeSlct(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  step.b = operands.Source(2, bytes);
  step.c = operands.Source(3, 4);
  const bool real = operands.modifiers().source_type == ptx::Type::kF32;
  const bool ftz = operands.modifiers().ftz;
  return OnBits(operands.type(), [=]<class T>() -> StepFunction {
    if (!real) return &Ternary<T, T, T, std::int32_t, SlctOp>;
    return ftz ? &Ternary<T, T, T, float, SlctFlushOp> : &Ternary<T, T, T, float, SlctOp>;
  });
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
