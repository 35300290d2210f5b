// Comparisons of lanes, for setp and set (PTX ISA, "Comparison and Selection Instructions").
#pragma once

#include <cstdint>
#include <type_traits>

#include "emulator/lanes/lane_float.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// How a and b may stand to each other, as bits; each comparison is a set of them.
enum : std::uint32_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

inline std::uint32_t RelationsOf(ptx::Compare compare) {
  using enum ptx::Compare;
  switch (compare) {
    case kEq:
      return kEqual;
    case kNe:
      return kLess | kGreater;
    case kLt:
    case kLo:
      return kLess;
    case kLe:
    case kLs:
      return kLess | kEqual;
    case kGt:
    case kHi:
      return kGreater;
    case kGe:
    case kHs:
      return kGreater | kEqual;
    case kEqu:
      return kEqual | kUnordered;
    case kNeu:
      return kLess | kGreater | kUnordered;
    case kLtu:
      return kLess | kUnordered;
    case kLeu:
      return kLess | kEqual | kUnordered;
    case kGtu:
      return kGreater | kUnordered;
    case kGeu:
      return kGreater | kEqual | kUnordered;
    case kNum:
      return kLess | kEqual | kGreater;
    case kNan:
      return kUnordered;
    default:
      return 0;
  }
}

template <class T>
LaneMask Compare(std::byte* frame, const Step& step, std::uint32_t relations) {
  const T* a = Lanes<T>(frame, step.a);
  const T* b = Lanes<T>(frame, step.b);
  LaneMask less = LanesWhere([=](int i) { return a[i] < b[i]; });
  LaneMask equal = LanesWhere([=](int i) { return a[i] == b[i]; });
  LaneMask greater = LanesWhere([=](int i) { return a[i] > b[i]; });
  LaneMask result = 0;
  if ((relations & kLess) != 0) result |= less;
  if ((relations & kEqual) != 0) result |= equal;
  if ((relations & kGreater) != 0) result |= greater;
  if ((relations & kUnordered) != 0) result |= ~(less | equal | greater);
  return result;
}

// step.data: relations, then from bit 8 the BoolOp, bit 16 ftz, bit 17: q is wanted.
inline LaneMask Joined(std::uint64_t data, LaneMask value, LaneMask with) {
  switch (static_cast<ptx::BoolOp>(data >> 8 & 0xff)) {
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
// Numbers of 16 bits, the `part`th of `parts` in each register.
template <class F, int part, int parts>
struct ShortFloat {
  static constexpr std::uint16_t kLeastNormal = F::kLeastNormal;
  static double Of(std::uint16_t bits) { return F::ToDouble(bits); }
  static constexpr int kPart = part;
  static constexpr int kParts = parts;
};
template <class T>
concept IsShort = requires {
  T::kParts;
};

template <IsShort T>
LaneMask Relate(std::byte* frame, const Step& step) {
  const auto relations = static_cast<std::uint32_t>(step.data & 0xff);
  const bool ftz = (step.data >> 16 & 1) != 0;
  const auto* a = Lanes<std::uint16_t>(frame, step.a);
  const auto* b = Lanes<std::uint16_t>(frame, step.b);
  const auto value = [ftz](std::uint16_t bits) {
    return ftz && (bits & 0x7fff) < T::kLeastNormal ? 0.0 : T::Of(bits);
  };
  return LanesWhere([=](int i) {
    const double x = value(a[i * T::kParts + T::kPart]);
    const double y = value(b[i * T::kParts + T::kPart]);
    const std::uint32_t is = x < y ? kLess : x == y ? kEqual : x > y ? kGreater : kUnordered;
    return (relations & is) != 0;
  });
}
template <class T>
LaneMask Relate(std::byte* frame, const Step& step) {
  const auto relations = static_cast<std::uint32_t>(step.data & 0xff);
  if constexpr (std::is_same_v<T, float>) {
    if ((step.data >> 16 & 1) != 0) {
      const float* a = Lanes<float>(frame, step.a);
      const float* b = Lanes<float>(frame, step.b);
      return LanesWhere([=](int i) {
        const float x = Flush(a[i]), y = Flush(b[i]);
        const std::uint32_t is = x < y ? kLess : x == y ? kEqual : x > y ? kGreater : kUnordered;
        return (relations & is) != 0;
      });
    }
  }
  return Compare<T>(frame, step, relations);
}
template <class F>
StepFunction OnComparable(ptx::Type type, F f) {
  if (const StepFunction function = OnFloat(type, f)) return function;
  if (const StepFunction function = OnInteger(type, f)) return function;
  return type >= ptx::Type::kB16 && type <= ptx::Type::kB64 ? OnBits(type, f) : nullptr;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
