// Comparison with a number as the result: set.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_compare.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
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

}  // namespace warpcheck::emulator::WARPCHECK_ISA
