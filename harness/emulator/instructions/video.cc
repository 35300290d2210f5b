// Executes video instructions (PTX ISA, "Video Instructions"): arithmetic on one, two or four bytes
// or halves at once, with saturation, and with a second operation or a merge.
#include <algorithm>
#include <cstdint>
#include <functional>

#include "emulator/code/step.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_integer.h"
#include "emulator/lanes/lane_types.h"
#include "ptx/module.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

namespace {

using U32 = std::uint32_t;

// A part of a register pair {b, a} that is read as a number.
struct VideoPart {
  std::uint8_t bits = 32;
  std::uint8_t shift = 0;
  bool is_signed = false;
};

std::int64_t Extract(std::uint64_t pair, VideoPart part) {
  const std::uint64_t moved = pair >> part.shift << (64 - part.bits);
  return part.is_signed ? static_cast<std::int64_t>(moved) >> (64 - part.bits)
                        : static_cast<std::int64_t>(moved >> (64 - part.bits));
}

std::int64_t SaturateTo(std::int64_t value, std::uint8_t bits, bool is_signed) {
  const std::int64_t top = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t low = is_signed ? -top - 1 : 0;
  return value < low ? low : value > top ? top : value;
}

// Returns `into` with a part replaced by the low bits of `value`.
U32 Merge(U32 into, std::int64_t value, std::uint8_t bits, std::uint8_t shift) {
  const auto ones = static_cast<U32>((std::uint64_t{1} << bits) - 1);
  return (into & ~(ones << shift)) | (static_cast<U32>(value) & ones) << shift;
}

enum class Second : std::uint8_t { kNone, kAdd, kMin, kMax, kMerge };

// The form of a video instruction. It is small enough for Step::data.
struct VideoForm {
  VideoPart a, b;
  std::uint8_t to = 0;  // SIMD: a bit for each part that is written; scalar: the shift of the part
  Second second : 5 = Second::kNone;
  bool saturates : 1 = false;
  bool is_signed : 1 = false;      // true if the result is signed
  bool merges_a_byte : 1 = false;  // true if it merges a byte, false if it merges a half
};
static_assert(sizeof(VideoForm) == sizeof(Step::data));

using S64 = std::int64_t;
using DifferencePart = decltype([](S64 a, S64 b) -> S64 { return a < b ? b - a : a - b; });
using MinPart = decltype([](S64 a, S64 b) -> S64 { return a < b ? a : b; });
using MaxPart = decltype([](S64 a, S64 b) -> S64 { return a < b ? b : a; });
using AveragePart = decltype([](S64 a, S64 b) -> S64 {
  return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
});
template <bool clamp>
S64 ShiftOf(S64 b) {
  return clamp ? (b < 32 ? b : 32) : (b & 31);
}
template <bool clamp>
struct ShiftLeftPart {
  S64 operator()(S64 a, S64 b) const { return a << ShiftOf<clamp>(b); }
};
template <bool clamp>
struct ShiftRightPart {
  S64 operator()(S64 a, S64 b) const { return a >> ShiftOf<clamp>(b); }
};

// Applies the second operation to all 32 bits.
U32 Join(const VideoForm& form, std::int64_t value, U32 c) {
  const VideoPart whole{.is_signed = form.is_signed};
  const std::int64_t x = Extract(static_cast<U32>(value), whole);
  const std::int64_t y = Extract(c, whole);
  switch (form.second) {
    case Second::kAdd:
      return static_cast<U32>(x + y);
    case Second::kMin:
      return static_cast<U32>(std::min(x, y));
    case Second::kMax:
      return static_cast<U32>(std::max(x, y));
    case Second::kMerge:
      return Merge(c, value, form.merges_a_byte ? 8 : 16, form.to);
    case Second::kNone:
      break;
  }
  return static_cast<U32>(value);
}

template <class Op>
void Scalar(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  const auto form = std::bit_cast<VideoForm>(step.data);
  const U32* a = Lanes<U32>(frame, step.a);
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  U32* d = Lanes<U32>(frame, step.d);
  ForEachLane(mask, [&](int i) {
    std::int64_t value = Op{}(Extract(a[i], form.a), Extract(b[i], form.b));
    if (form.saturates) value = SaturateTo(value, 32, form.is_signed);
    d[i] = Join(form, value, c[i]);
  });
}

// Computes four or two parts at once. For part number i of the first source, three bits of
// step.flip, from bit 4 i on, select the part of the pair {b, a}. The next 16 bits select the parts
// of the second source in the same way.
template <int ways, class Op>
void Simd(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  constexpr std::uint8_t kBits = 32 / ways;
  const auto form = std::bit_cast<VideoForm>(step.data);
  const U32* a = Lanes<U32>(frame, step.a);
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  U32* d = Lanes<U32>(frame, step.d);
  ForEachLane(mask, [&](int i) {
    const std::uint64_t pair = std::uint64_t{b[i]} << 32 | a[i];
    U32 result = c[i];
    for (int part = 0; part < ways; ++part) {
      if ((form.to >> part & 1) == 0) continue;
      VideoPart x = form.a;
      VideoPart y = form.b;
      x.shift = static_cast<std::uint8_t>((step.flip >> (4 * part) & 7) * kBits);
      y.shift = static_cast<std::uint8_t>((step.flip >> (4 * part + 16) & 7) * kBits);
      std::int64_t value = Op{}(Extract(pair, x), Extract(pair, y));
      if (form.saturates) value = SaturateTo(value, kBits, form.is_signed);
      result = form.second == Second::kAdd
                   ? result + static_cast<U32>(value)
                   : Merge(result, value, kBits, static_cast<std::uint8_t>(part * kBits));
    }
    d[i] = result;
  });
}

// Returns the types of the result, of a and of b. vset has no result type.
std::array<ptx::Type, 3> TypesOf(const ptx::Modifiers& modifiers, bool compares) {
  std::array<ptx::Type, 3> types = {ptx::Type::kU32, ptx::Type::kU32, ptx::Type::kU32};
  std::size_t at = compares ? 1 : 0;
  for (const std::string& suffix : modifiers.suffixes) {
    if (const auto type = ptx::TypeNamed(suffix)) types[at++] = *type;
  }
  return types;
}

VideoForm FormOf(Operands& operands, bool compares) {
  const ptx::Modifiers& modifiers = operands.modifiers();
  const auto types = TypesOf(modifiers, compares);
  VideoForm form;
  form.a.is_signed = ptx::IsSigned(types[1]);
  form.b.is_signed = ptx::IsSigned(types[2]);
  // The types of the second operation's operands.
  form.is_signed = ptx::IsSigned(types[compares ? 1 : 0]);
  form.saturates = modifiers.sat;
  form.merges_a_byte = operands[0].selector.bits == 8;
  if (operands[0].selector.bits != 0) form.second = Second::kMerge;
  if (modifiers.atomic == ptx::Atomic::kAdd) form.second = Second::kAdd;
  if (modifiers.atomic == ptx::Atomic::kMin) form.second = Second::kMin;
  if (modifiers.atomic == ptx::Atomic::kMax) form.second = Second::kMax;
  return form;
}

// Decodes one part of a register, or all of it. Returns false for a selector of several parts.
bool TakePart(Operands& operands, std::size_t index, VideoPart& part) {
  const ptx::Selector& selector = operands[index].selector;
  if (selector.bits == 0) return true;
  part.bits = selector.bits;
  part.shift = static_cast<std::uint8_t>(selector.parts[0] * selector.bits);
  return selector.count == 1 && part.shift < 32;
}

template <class Op>
StepFunction DecodeScalar(Operands& operands, Step& step, bool compares = false) {
  VideoForm form = FormOf(operands, compares);
  VideoPart to;
  if (!TakePart(operands, 0, to) || !TakePart(operands, 1, form.a) ||
      !TakePart(operands, 2, form.b)) {
    operands.Refuse("selects several parts, or one that a register does not have");
    return nullptr;
  }
  const bool merges = form.second == Second::kMerge;
  if (merges && (form.saturates || compares)) {
    operands.Refuse("writes a part of a register: GPUs do not compute what the PTX ISA says here");
    return nullptr;
  }
  if ((form.second != Second::kNone) != (operands.size() > 3)) {
    operands.Refuse("must have a third source exactly if it has a second operation");
    return nullptr;
  }
  form.to = to.shift;
  step.data = std::bit_cast<std::uint64_t>(form);
  DecodeSlots(operands, step, 4);
  if (operands.size() <= 3) step.c = step.a;
  return &Scalar<Op>;
}

// Decodes which of the eight parts of {b, a} the operand selects, the lowest in the lowest four
// bits. Returns false for a selector that does not fit.
bool PartsOf(Operands& operands, std::size_t index, std::size_t ways, U32& parts) {
  const ptx::Selector& selector = operands[index].selector;
  if (selector.bits == 0) {
    const U32 first = index == 1 ? 0 : static_cast<U32>(ways);
    for (std::size_t i = 0; i < ways; ++i) parts |= (first + static_cast<U32>(i)) << (4 * i);
    return true;
  }
  if (selector.bits * ways != 32 || selector.count != ways) return false;
  for (std::size_t i = 0; i < ways; ++i) {
    const U32 part = selector.parts[ways - 1 - i];
    if (part >= 2 * ways) return false;
    parts |= part << (4 * i);
  }
  return true;
}

template <int ways, class Op>
StepFunction DecodeSimd(Operands& operands, Step& step, bool compares = false) {
  VideoForm form = FormOf(operands, compares);
  form.a.bits = form.b.bits = 32 / ways;
  const ptx::Selector& mask = operands[0].selector;
  bool fits = mask.bits == 0 || mask.bits * ways == 32;
  form.to = mask.bits == 0 ? (1 << ways) - 1 : 0;
  for (std::size_t i = 0; i < mask.count; ++i) {
    fits = fits && mask.parts[i] < ways;
    form.to = static_cast<std::uint8_t>(form.to | 1 << (mask.parts[i] & 7));
  }
  U32 parts_a = 0;
  U32 parts_b = 0;
  fits = fits && PartsOf(operands, 1, ways, parts_a) && PartsOf(operands, 2, ways, parts_b);
  if (!fits || (form.saturates && form.second == Second::kAdd)) {
    operands.Refuse(
        "has a mask or selector of parts, or a saturation with an addition, that its type does not "
        "allow");
    return nullptr;
  }
  step.flip = parts_a | parts_b << 16;
  step.data = std::bit_cast<std::uint64_t>(form);
  DecodeSlots(operands, step, 4);
  return &Simd<ways, Op>;
}

template <class F>
StepFunction OnCompare(ptx::Compare compare, F f) {
  using enum ptx::Compare;
  switch (compare) {
    case kEq:
      return f.template operator()<std::equal_to<>>();
    case kNe:
      return f.template operator()<std::not_equal_to<>>();
    case kLt:
      return f.template operator()<std::less<>>();
    case kLe:
      return f.template operator()<std::less_equal<>>();
    case kGt:
      return f.template operator()<std::greater<>>();
    case kGe:
      return f.template operator()<std::greater_equal<>>();
    default:
      return nullptr;
  }
}

template <template <bool> class Op>
StepFunction DecodeShift(Operands& o, Step& s) {
  if (o.modifiers().sat) {
    o.Refuse("saturates a shift: GPUs do not compute what the PTX ISA says here");
    return nullptr;
  }
  return o.modifiers().wrap ? DecodeScalar<Op<false>>(o, s) : DecodeScalar<Op<true>>(o, s);
}

}  // namespace

StepFunction DecodeVadd(Operands& o, Step& s) { return DecodeScalar<std::plus<>>(o, s); }
StepFunction DecodeVsub(Operands& o, Step& s) { return DecodeScalar<std::minus<>>(o, s); }
StepFunction DecodeVabsdiff(Operands& o, Step& s) { return DecodeScalar<DifferencePart>(o, s); }
StepFunction DecodeVmin(Operands& o, Step& s) { return DecodeScalar<MinPart>(o, s); }
StepFunction DecodeVmax(Operands& o, Step& s) { return DecodeScalar<MaxPart>(o, s); }
StepFunction DecodeVshl(Operands& o, Step& s) { return DecodeShift<ShiftLeftPart>(o, s); }
StepFunction DecodeVshr(Operands& o, Step& s) { return DecodeShift<ShiftRightPart>(o, s); }
StepFunction DecodeVset(Operands& o, Step& s) {
  return OnCompare(o.modifiers().compare, [&]<class Op>() { return DecodeScalar<Op>(o, s, true); });
}

StepFunction DecodeVadd2(Operands& o, Step& s) { return DecodeSimd<2, std::plus<>>(o, s); }
StepFunction DecodeVsub2(Operands& o, Step& s) { return DecodeSimd<2, std::minus<>>(o, s); }
StepFunction DecodeVavrg2(Operands& o, Step& s) { return DecodeSimd<2, AveragePart>(o, s); }
StepFunction DecodeVabsdiff2(Operands& o, Step& s) { return DecodeSimd<2, DifferencePart>(o, s); }
StepFunction DecodeVmin2(Operands& o, Step& s) { return DecodeSimd<2, MinPart>(o, s); }
StepFunction DecodeVmax2(Operands& o, Step& s) { return DecodeSimd<2, MaxPart>(o, s); }
StepFunction DecodeVset2(Operands& o, Step& s) {
  return OnCompare(o.modifiers().compare,
                   [&]<class Op>() { return DecodeSimd<2, Op>(o, s, true); });
}
StepFunction DecodeVadd4(Operands& o, Step& s) { return DecodeSimd<4, std::plus<>>(o, s); }
StepFunction DecodeVsub4(Operands& o, Step& s) { return DecodeSimd<4, std::minus<>>(o, s); }
StepFunction DecodeVavrg4(Operands& o, Step& s) { return DecodeSimd<4, AveragePart>(o, s); }
StepFunction DecodeVabsdiff4(Operands& o, Step& s) { return DecodeSimd<4, DifferencePart>(o, s); }
StepFunction DecodeVmin4(Operands& o, Step& s) { return DecodeSimd<4, MinPart>(o, s); }
StepFunction DecodeVmax4(Operands& o, Step& s) { return DecodeSimd<4, MaxPart>(o, s); }
StepFunction DecodeVset4(Operands& o, Step& s) {
  return OnCompare(o.modifiers().compare,
                   [&]<class Op>() { return DecodeSimd<4, Op>(o, s, true); });
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
