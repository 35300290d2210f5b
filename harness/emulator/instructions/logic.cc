// Logic, of bits and of predicates: and, or, xor, not, cnot, lop3.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_integer.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;

struct AndOp {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct OrOp {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct XorOp {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct NotOp {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct CnotOp {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(a == 0);
  }
};
void Lop3Lanes(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const U32* a = Lanes<U32>(frame, step.a);
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  const std::uint64_t table = step.data;
  StoreLanes(Lanes<U32>(frame, step.d), mask, [=](int i) { return Lop3(a[i], b[i], c[i], table); });
}

// %p of "%d|%p": whether the result is not zero, joined with the source predicate at step.e.
template <class Join>
void Lop3Predicate(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const LaneMask with = Predicate(frame, step.e) ^ step.flip;
  Lop3Lanes(frame, step, mask, warp);
  const U32* d = Lanes<U32>(frame, step.d);
  StorePredicate(frame, step.q, mask, Join{}(LanesWhere([=](int i) { return d[i] != 0; }), with));
}

// step.data: the second source's flip; step.flip: the first one's.
template <class Op>
void BinaryPredicate(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const LaneMask a = Predicate(frame, step.a) ^ step.flip;
  const LaneMask b = Predicate(frame, step.b) ^ static_cast<LaneMask>(step.data);
  StorePredicate(frame, step.d, mask, Op{}(a, b));
}
void NotPredicate(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  StorePredicate(frame, step.d, mask, ~(Predicate(frame, step.a) ^ step.flip));
}

template <class Op>
StepFunction DecodeLogic(Operands& operands, Step& step) {
  if (operands.type() == ptx::Type::kPred) {
    LaneMask flip = 0;
    step.d = operands.DestinationPredicate(0);
    step.a = operands.SourcePredicate(1, step.flip);
    step.b = operands.SourcePredicate(2, flip);
    step.data = flip;
    return &BinaryPredicate<Op>;
  }
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  return OnBits(operands.type(), []<class T>() -> StepFunction { return &Binary<T, T, T, Op>; });
}

}  // namespace

StepFunction DecodeAnd(Operands& operands, Step& step) {
  return DecodeLogic<AndOp>(operands, step);
}
StepFunction DecodeOr(Operands& operands, Step& step) { return DecodeLogic<OrOp>(operands, step); }
StepFunction DecodeXor(Operands& operands, Step& step) {
  return DecodeLogic<XorOp>(operands, step);
}
StepFunction DecodeNot(Operands& operands, Step& step) {
  if (operands.type() == ptx::Type::kPred) {
    step.d = operands.DestinationPredicate(0);
    step.a = operands.SourcePredicate(1, step.flip);
    return &NotPredicate;
  }
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  return OnBits(operands.type(), []<class T>() -> StepFunction { return &Unary<T, T, NotOp>; });
}
StepFunction DecodeCnot(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  return OnBits(operands.type(), []<class T>() -> StepFunction { return &Unary<T, T, CnotOp>; });
}
StepFunction DecodeLop3(Operands& operands, Step& step) {
  const ptx::BoolOp joins = operands.modifiers().bool_op;
  const std::size_t first = joins == ptx::BoolOp::kNone ? 1 : 2;
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(first, 4);
  step.b = operands.Source(first + 1, 4);
  step.c = operands.Source(first + 2, 4);
  step.data = operands[first + 3].bits & 0xff;
  if (joins == ptx::BoolOp::kNone) return &Lop3Lanes;
  step.q = operands.DestinationPredicate(1);
  step.e = operands.SourcePredicate(6, step.flip);
  return joins == ptx::BoolOp::kOr ? &Lop3Predicate<OrOp> : &Lop3Predicate<AndOp>;
}
}  // namespace warpcheck::emulator::WARPCHECK_ISA
