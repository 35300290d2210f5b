// Executes logic on bits and predicates (and, or, xor, not, cnot, lop3), and instructions that
// count, find and permute bits (popc, clz, bfind, fns, brev, prmt).
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_integer.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;

using CnotOp = decltype([]<class T>(T a) -> T { return static_cast<T>(a == 0); });
void Lop3Lanes(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const U32* a = Lanes<U32>(frame, step.a);
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  const std::uint64_t table = step.data;
  StoreLanes(Lanes<U32>(frame, step.d), mask, [=](int i) { return Lop3(a[i], b[i], c[i], table); });
}

// Stores %p of "%d|%p": whether the result is not zero, combined with the source predicate at
// step.e.
template <class Join>
void Lop3Predicate(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const LaneMask with = Predicate(frame, step.e) ^ step.flip;
  Lop3Lanes(frame, step, mask, warp);
  const U32* d = Lanes<U32>(frame, step.d);
  StorePredicate(frame, step.q, mask, Join{}(LanesWhere([=](int i) { return d[i] != 0; }), with));
}

// Executes logic on predicates. step.flip negates the first source, step.data the second.
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
  DecodeSlots(operands, step);
  return OnBits(operands.type(), []<class T>() { return &Binary<T, T, T, Op>; });
}

// For each value of the two low bits of c, the selector that has the same effect as a mode of prmt.
using PermuteMode = std::array<std::uint16_t, 4>;
constexpr std::pair<std::string_view, PermuteMode> kPermuteModes[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};
// Executes prmt with a mode. step.data has the four selectors, the first in the lowest bits.
void PermuteByMode(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const U32* a = Lanes<U32>(frame, step.a);
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  StoreLanes(Lanes<U32>(frame, step.d), mask, [=](int i) {
    return PermuteBytes(a[i], b[i], static_cast<U32>(step.data >> (16 * (c[i] & 3)) & 0xffff));
  });
}
using PopcOp = decltype([]<class T>(T a) -> U32 { return static_cast<U32>(std::popcount(a)); });
using ClzOp = decltype([]<class T>(T a) -> U32 { return static_cast<U32>(std::countl_zero(a)); });
using HighestOp = decltype([]<class T>(T a) -> U32 { return FindHighest(a, false); });
using HighestAsShiftOp = decltype([]<class T>(T a) -> U32 { return FindHighest(a, true); });
using BrevOp = decltype([]<class T>(T a) -> T { return ReverseBits(a); });
template <class Op>
StepFunction DecodeCount(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, ptx::Bytes(operands.type()));
  return OnBits(operands.type(), []<class T>() { return &Unary<U32, T, Op>; });
}

}  // namespace

StepFunction DecodeAnd(Operands& o, Step& s) { return DecodeLogic<std::bit_and<>>(o, s); }
StepFunction DecodeOr(Operands& o, Step& s) { return DecodeLogic<std::bit_or<>>(o, s); }
StepFunction DecodeXor(Operands& o, Step& s) { return DecodeLogic<std::bit_xor<>>(o, s); }
StepFunction DecodeNot(Operands& operands, Step& step) {
  if (operands.type() == ptx::Type::kPred) {
    step.d = operands.DestinationPredicate(0);
    step.a = operands.SourcePredicate(1, step.flip);
    return &NotPredicate;
  }
  DecodeSlots(operands, step);
  return OnBits(operands.type(), []<class T>() { return &Unary<T, T, std::bit_not<>>; });
}
StepFunction DecodeCnot(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  return OnBits(operands.type(), []<class T>() { return &Unary<T, T, CnotOp>; });
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
  return joins == ptx::BoolOp::kOr ? &Lop3Predicate<std::bit_or<>> : &Lop3Predicate<std::bit_and<>>;
}

StepFunction DecodePrmt(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  for (const auto& [name, selectors] : kPermuteModes) {
    if (!operands.modifiers().suffixes.Has(name)) continue;
    for (std::size_t i = 0; i < 4; ++i) step.data |= std::uint64_t{selectors[i]} << (16 * i);
    return &PermuteByMode;
  }
  return &Ternary<U32, U32, U32, U32, FunctionOp<PermuteBytes>>;
}
StepFunction DecodePopc(Operands& o, Step& s) { return DecodeCount<PopcOp>(o, s); }
StepFunction DecodeClz(Operands& o, Step& s) { return DecodeCount<ClzOp>(o, s); }
StepFunction DecodeBfind(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, ptx::Bytes(operands.type()));
  const bool shift = operands.modifiers().suffixes.Has("shiftamt");
  return OnInteger(operands.type(), [shift]<class T>() {
    return shift ? &Unary<U32, T, HighestAsShiftOp> : &Unary<U32, T, HighestOp>;
  });
}
StepFunction DecodeFns(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return &Ternary<U32, U32, U32, std::int32_t, FunctionOp<FindNthSet>>;
}
StepFunction DecodeBrev(Operands& operands, Step& step) {
  DecodeSlots(operands, step);
  return OnBits(operands.type(), []<class T>() { return &Unary<T, T, BrevOp>; });
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
