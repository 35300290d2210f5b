// Executes shifts and bit fields: shf, shl, shr, bfe, bfi, szext, bmsk.
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_integer.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;

// Shifts. An amount beyond the width shifts out all bits.
using ShlOp = decltype([]<class T>(T a, U32 b) -> T {
  constexpr U32 top = 8 * sizeof(T) - 1;
  const T shifted = static_cast<T>(static_cast<Unsigned<T>>(a) << (b & top));
  return b > top ? T{0} : shifted;
});
using ShrOp = decltype([]<class T>(T a, U32 b) -> T {
  constexpr U32 top = 8 * sizeof(T) - 1;
  const T out = std::is_signed_v<T> ? static_cast<T>(a >> top) : T{0};
  return b > top ? out : static_cast<T>(a >> (b & top));
});
template <bool left, bool wrap>
struct ShfOp {
  U32 operator()(U32 a, U32 b, U32 c) const {
    const U32 n = wrap ? c & 31 : c > 32 ? 32 : c;
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    return static_cast<U32>(left ? both << n >> 32 : both >> n);
  }
};
using BfeOp = decltype([]<class T>(T a, U32 b, U32 c) -> T { return ExtractField(a, b, c); });
template <bool wrap>
struct BmskOp {
  U32 operator()(U32 a, U32 b) const {
    const U32 from = wrap ? a & 31 : a;
    const U32 count = wrap ? b & 31 : b;
    if (from > 31 || count == 0) return 0;
    return static_cast<U32>((count > 31 ? ~0u : (1u << count) - 1) << from);
  }
};

template <class T>
void Bfi(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  const U32* e = Lanes<U32>(frame, step.e);
  T* d = Lanes<T>(frame, step.d);
  ForEachLane(mask, [=](int i) { d[i] = InsertField(a[i], b[i], c[i], e[i]); });
}

// With clamping, a shift by 32 bits or more keeps the value; 0 bits give zero.
template <class T, bool wrap>
struct SzextOp {
  T operator()(T a, U32 bits) const {
    const U32 count = wrap ? bits & 31 : bits < 32 ? bits : 32;
    return count == 0 ? T{0}
                      : static_cast<T>(static_cast<T>(static_cast<U32>(a) << (32 - count)) >>
                                       (32 - count));
  }
};

// Decodes "d a b" and "d a b c", in which b and c are 32 bits wide for every type.
void DecodeShiftSlots(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  step.b = operands.Source(2, 4);
  if (operands.size() > 3) step.c = operands.Source(3, 4);
}

}  // namespace

StepFunction DecodeShf(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return OnFlags(
      []<bool left, bool wrap>() { return &Ternary<U32, U32, U32, U32, ShfOp<left, wrap>>; },
      operands.modifiers().left, operands.modifiers().wrap);
}
StepFunction DecodeShl(Operands& operands, Step& step) {
  DecodeShiftSlots(operands, step);
  return OnBits(operands.type(), []<class T>() { return &Binary<T, T, U32, ShlOp>; });
}
StepFunction DecodeShr(Operands& operands, Step& step) {
  DecodeShiftSlots(operands, step);
  return OnIntegerOrBits(operands.type(), []<class T>() { return &Binary<T, T, U32, ShrOp>; });
}
StepFunction DecodeBfe(Operands& operands, Step& step) {
  DecodeShiftSlots(operands, step);
  return OnInteger(operands.type(), []<class T>() { return &Ternary<T, T, U32, U32, BfeOp>; });
}
StepFunction DecodeBfi(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  step.b = operands.Source(2, bytes);
  step.c = operands.Source(3, 4);
  step.e = operands.Source(4, 4);
  return OnBits(operands.type(), []<class T>() { return &Bfi<T>; });
}
StepFunction DecodeSzext(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return OnFlags(
      []<bool is_signed, bool wrap>() {
        using T = std::conditional_t<is_signed, std::int32_t, U32>;
        return &Binary<T, T, U32, SzextOp<T, wrap>>;
      },
      ptx::IsSigned(operands.type()), operands.modifiers().suffixes.Has("wrap"));
}
StepFunction DecodeBmsk(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return OnFlags([]<bool wrap>() { return &Binary<U32, U32, U32, BmskOp<wrap>>; },
                 operands.modifiers().suffixes.Has("wrap"));
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
