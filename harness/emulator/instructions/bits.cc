// Bits counted, found and moved: popc, clz, bfind, fns, brev, prmt.
#include <array>
#include <string_view>
#include <utility>

#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_integer.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;

struct PrmtOp {
  U32 operator()(U32 a, U32 b, U32 c) const { return PermuteBytes(a, b, c); }
};
// The selector that does what a mode of prmt does, for each value of c's two low bits.
using PermuteMode = std::array<std::uint16_t, 4>;
constexpr std::pair<std::string_view, PermuteMode> kPermuteModes[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};
// step.data: the four selectors, the first one lowest.
void PermuteByMode(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const U32* a = Lanes<U32>(frame, step.a);
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  StoreLanes(Lanes<U32>(frame, step.d), mask, [=](int i) {
    return PermuteBytes(a[i], b[i], static_cast<U32>(step.data >> (16 * (c[i] & 3)) & 0xffff));
  });
}
struct PopcOp {
  template <class T>
  U32 operator()(T a) const {
    return static_cast<U32>(std::popcount(a));
  }
};
struct ClzOp {
  template <class T>
  U32 operator()(T a) const {
    return static_cast<U32>(std::countl_zero(a));
  }
};
template <bool as_shift>
struct BfindOp {
  template <class T>
  U32 operator()(T a) const {
    return FindHighest(a, as_shift);
  }
};
struct BrevOp {
  template <class T>
  T operator()(T a) const {
    return ReverseBits(a);
  }
};
struct FnsOp {
  U32 operator()(U32 a, U32 b, std::int32_t c) const { return FindNthSet(a, b, c); }
};
template <class Op>
StepFunction DecodeCount(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, ptx::Bytes(operands.type()));
  return OnBits(operands.type(), []<class T>() -> StepFunction { return &Unary<U32, T, Op>; });
}

}  // namespace

StepFunction DecodePrmt(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  for (const auto& [name, selectors] : kPermuteModes) {
    if (!operands.modifiers().suffixes.Has(name)) continue;
    for (std::size_t i = 0; i < 4; ++i) step.data |= std::uint64_t{selectors[i]} << (16 * i);
    return &PermuteByMode;
  }
  return &Ternary<U32, U32, U32, U32, PrmtOp>;
}
StepFunction DecodePopc(Operands& operands, Step& step) {
  return DecodeCount<PopcOp>(operands, step);
}
StepFunction DecodeClz(Operands& operands, Step& step) {
  return DecodeCount<ClzOp>(operands, step);
}
StepFunction DecodeBfind(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, ptx::Bytes(operands.type()));
  const bool shift = operands.modifiers().suffixes.Has("shiftamt");
  return OnInteger(operands.type(), [shift]<class T>() -> StepFunction {
    return shift ? &Unary<U32, T, BfindOp<true>> : &Unary<U32, T, BfindOp<false>>;
  });
}
StepFunction DecodeFns(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return &Ternary<U32, U32, U32, std::int32_t, FnsOp>;
}
StepFunction DecodeBrev(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
  return OnBits(operands.type(), []<class T>() -> StepFunction { return &Unary<T, T, BrevOp>; });
}
}  // namespace warpcheck::emulator::WARPCHECK_ISA
