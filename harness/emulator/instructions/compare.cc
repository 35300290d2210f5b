// Comparison: setp.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_compare.h"
#include "emulator/lanes/lane_float.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

namespace {

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

// Comparison with a number as the result: set.

namespace {

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

}  // namespace

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

// Selection: selp, slct.

namespace {

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
using SlctFlushOp = decltype([]<class T>(T a, T b, float c) -> T { return Flush(c) >= 0 ? a : b; });

}  // namespace

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
