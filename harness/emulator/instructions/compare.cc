// Executes comparison and selection: setp, set, selp, slct (PTX ISA, "Comparison and Selection
// Instructions").
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_float.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

// The relations that a and b may have, as bits. Each comparison is a set of these bits.
enum : std::uint32_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

std::uint32_t RelationsOf(ptx::Compare compare) {
  constexpr std::uint32_t kRelations[] = {
      0,                               // no relation
      kEqual,                          // eq
      kLess | kGreater,                // ne
      kLess,                           // lt
      kLess | kEqual,                  // le
      kGreater,                        // gt
      kGreater | kEqual,               // ge
      kLess,                           // lo
      kLess | kEqual,                  // ls
      kGreater,                        // hi
      kGreater | kEqual,               // hs
      kEqual | kUnordered,             // equ
      kLess | kGreater | kUnordered,   // neu
      kLess | kUnordered,              // ltu
      kLess | kEqual | kUnordered,     // leu
      kGreater | kUnordered,           // gtu
      kGreater | kEqual | kUnordered,  // geu
      kLess | kEqual | kGreater,       // num
      kUnordered,                      // nan
  };
  static_assert(std::size(kRelations) == static_cast<std::size_t>(ptx::Compare::kNan) + 1);
  return kRelations[static_cast<std::size_t>(compare)];
}

template <class T>
bool Holds(std::uint32_t relations, T x, T y) {
  const std::uint32_t is = x < y ? kLess : x == y ? kEqual : x > y ? kGreater : kUnordered;
  return (relations & is) != 0;
}

// Reads numbers of 16 bits: part number `part` of the `parts` in each register.
template <class F, int part, int parts>
struct ShortFloat {
  using Format = F;
  static constexpr int kPart = part;
  static constexpr int kParts = parts;
};
template <class T>
concept IsShort = requires {
  T::kParts;
};

// Compares. step.data has the relations, from bit 8 on the BoolOp, in bit 16 ftz, and in bit 17
// whether q is needed.
template <IsShort T>
LaneMask Relate(std::byte* frame, const Step& step) {
  using F = typename T::Format;
  const auto relations = static_cast<std::uint32_t>(step.data & 0xff);
  const bool ftz = (step.data >> 16 & 1) != 0;
  const auto* a = Lanes<std::uint16_t>(frame, step.a);
  const auto* b = Lanes<std::uint16_t>(frame, step.b);
  const auto value = [ftz](std::uint16_t bits) {
    return ftz && (bits & 0x7fff) < F::kLeastNormal ? 0.0 : F::ToDouble(bits);
  };
  return LanesWhere([=](int i) {
    const int at = i * T::kParts + T::kPart;
    return Holds(relations, value(a[at]), value(b[at]));
  });
}
template <class T>
LaneMask Relate(std::byte* frame, const Step& step) {
  const auto relations = static_cast<std::uint32_t>(step.data & 0xff);
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  if constexpr (std::is_same_v<T, float>) {
    if ((step.data >> 16 & 1) != 0) {
      return LanesWhere([=](int i) { return Holds(relations, Flush(a[i]), Flush(b[i])); });
    }
  }
  const LaneMask less = LanesWhere([=](int i) { return a[i] < b[i]; });
  const LaneMask equal = LanesWhere([=](int i) { return a[i] == b[i]; });
  const LaneMask greater = LanesWhere([=](int i) { return a[i] > b[i]; });
  LaneMask result = 0;
  if ((relations & kLess) != 0) result |= less;
  if ((relations & kEqual) != 0) result |= equal;
  if ((relations & kGreater) != 0) result |= greater;
  if ((relations & kUnordered) != 0) result |= ~(less | equal | greater);
  return result;
}

// Combines a result with the source predicate, if the instruction has one.
LaneMask Joined(std::byte* frame, const Step& step, LaneMask value) {
  const LaneMask with = Predicate(frame, step.c) ^ step.flip;
  switch (static_cast<ptx::BoolOp>(step.data >> 8 & 0xff)) {
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

template <class F>
StepFunction OnComparable(ptx::Type type, F f) {
  const StepFunction real = OnFloat(type, f);
  return real != nullptr ? real : OnIntegerOrBits(type, f);
}

// Executes the integer and plain float comparisons, in one pass each.
template <class T, class Op>
void SetpFast(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  StorePredicate(frame, step.d, mask, LanesWhere([=](int i) { return Op{}(a[i], b[i]); }));
}

// Stores p, and also q if it is needed.
void StoreBoth(std::byte* frame, const Step& step, LaneMask mask, LaneMask p, LaneMask q) {
  // Both are computed before either is stored, because the source predicate may be one of them.
  const LaneMask joined_p = Joined(frame, step, p);
  const LaneMask joined_q = Joined(frame, step, q);
  StorePredicate(frame, step.d, mask, joined_p);
  if ((step.data >> 17 & 1) != 0) StorePredicate(frame, step.q, mask, joined_q);
}
template <class T>
void Setp(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask value = Relate<T>(frame, step);
  StoreBoth(frame, step, mask, value, ~value);
}
// Compares pairs: p is the result of the lower halves, and q is the result of the upper halves.
template <class F>
void SetpPair(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  StoreBoth(frame, step, mask, Relate<ShortFloat<F, 0, 2>>(frame, step),
            Relate<ShortFloat<F, 1, 2>>(frame, step));
}

template <class T>
StepFunction PickFast(std::uint64_t relations) {
  switch (relations) {
    case kLess:
      return &SetpFast<T, std::less<>>;
    case kLess | kEqual:
      return &SetpFast<T, std::less_equal<>>;
    case kGreater:
      return &SetpFast<T, std::greater<>>;
    case kGreater | kEqual:
      return &SetpFast<T, std::greater_equal<>>;
    case kEqual:
      return &SetpFast<T, std::equal_to<>>;
    case kLess | kGreater:
      return std::is_integral_v<T> ? &SetpFast<T, std::not_equal_to<>> : nullptr;
    case kLess | kGreater | kUnordered:
      return &SetpFast<T, std::not_equal_to<>>;
    default:
      return nullptr;
  }
}

// Returns the result of set for a comparison that is true: all ones for integers, 1.0 for floats.
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
// Executes set. D is the register type. From bit 32 on, step.data has the result for true.
template <class D, class T>
void Set(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask value = Joined(frame, step, Relate<T>(frame, step));
  const D one = static_cast<D>(step.data >> 32);
  StoreLanes(Lanes<D>(frame, step.d), mask,
             [=](int i) { return (value >> i & 1) != 0 ? one : D{0}; });
}
template <class F>
void SetPair(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask low = Joined(frame, step, Relate<ShortFloat<F, 0, 2>>(frame, step));
  const LaneMask high = Joined(frame, step, Relate<ShortFloat<F, 1, 2>>(frame, step));
  const auto one = static_cast<std::uint32_t>(step.data >> 32);
  StoreLanes(Lanes<std::uint32_t>(frame, step.d), mask,
             [=](int i) { return (low >> i & 1) * one | (high >> i & 1) * one << 16; });
}

template <class T>
void Selp(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  const LaneMask p = Predicate(frame, step.c) ^ step.flip;
  StoreLanes(Lanes<T>(frame, step.d), mask, [=](int i) { return (p >> i & 1) != 0 ? a[i] : b[i]; });
}

// Selects a unless c is below zero: for -0, and for negative subnormal numbers with .ftz, the
// result is a.
using SlctOp = decltype([]<class T>(T a, T b, auto c) -> T { return c >= 0 ? a : b; });
using SlctFlushOp = decltype([]<class T>(T a, T b, float c) -> T { return Flush(c) >= 0 ? a : b; });

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
  const ptx::Type type = operands.type();
  if (type == ptx::Type::kF16) return &Setp<ShortFloat<Half, 0, 1>>;
  if (type == ptx::Type::kBf16) return &Setp<ShortFloat<Brain, 0, 1>>;
  if (type == ptx::Type::kF16x2) return &SetpPair<Half>;
  if (type == ptx::Type::kBf16x2) return &SetpPair<Brain>;
  const bool plain = !joined && !wants_q && !modifiers.ftz;
  return OnComparable(type, [&]<class T>() -> StepFunction {
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
  return OnComparable(modifiers.source_type, []<class T>() { return &Set<std::uint32_t, T>; });
}

StepFunction DecodeSelp(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  step.b = operands.Source(2, bytes);
  step.c = operands.SourcePredicate(3, step.flip);
  return OnBits(operands.type(), []<class T>() { return &Selp<T>; });
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
