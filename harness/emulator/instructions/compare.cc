// Comparison: setp.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_compare.h"

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

}  // namespace warpcheck::emulator::WARPCHECK_ISA
