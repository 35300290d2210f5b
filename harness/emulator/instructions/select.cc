// Selection: selp, slct.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_float.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
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
struct SlctFlushOp {
  template <class T>
  T operator()(T a, T b, float c) const {
    return Flush(c) >= 0 ? a : b;
  }
};

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
