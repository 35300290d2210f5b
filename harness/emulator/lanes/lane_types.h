// Selects the instance of a step function by the type of an instruction:
//   OnInteger(type, []<class T>() { return &Binary<T, T, T, Add>; })
// The result is null for a type that is not in the set.
#pragma once

#include "emulator/decode/operands.h"
#include "emulator/lanes/lanes.h"
#include "ptx/types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

template <class F>
StepFunction OnInteger(ptx::Type type, F f) {
  switch (type) {
    case ptx::Type::kU16:
      return f.template operator()<std::uint16_t>();
    case ptx::Type::kS16:
      return f.template operator()<std::int16_t>();
    case ptx::Type::kU32:
      return f.template operator()<std::uint32_t>();
    case ptx::Type::kS32:
      return f.template operator()<std::int32_t>();
    case ptx::Type::kU64:
      return f.template operator()<std::uint64_t>();
    case ptx::Type::kS64:
      return f.template operator()<std::int64_t>();
    default:
      return nullptr;
  }
}

// Selects by the width of a register, as an unsigned integer that can represent a T.
template <class T, class F>
StepFunction OnRegister(std::uint32_t bytes, F f) {
  if constexpr (sizeof(T) <= 1) {
    if (bytes == 1) return f.template operator()<std::uint8_t>();
  }
  if constexpr (sizeof(T) <= 2) {
    if (bytes == 2) return f.template operator()<std::uint16_t>();
  }
  if constexpr (sizeof(T) <= 4) {
    if (bytes == 4) return f.template operator()<std::uint32_t>();
  }
  return bytes == 8 ? f.template operator()<std::uint64_t>() : nullptr;
}

// Selects by the width of a type of any kind, as an unsigned integer.
template <class F>
StepFunction OnBits(ptx::Type type, F f) {
  return OnRegister<std::uint16_t>(ptx::Bytes(type), f);
}

template <class F>
StepFunction OnIntegerOrBits(ptx::Type type, F f) {
  return type >= ptx::Type::kB16 && type <= ptx::Type::kB64 ? OnBits(type, f) : OnInteger(type, f);
}

template <class F>
StepFunction OnFloat(ptx::Type type, F f) {
  if (type == ptx::Type::kF32) return f.template operator()<float>();
  return type == ptx::Type::kF64 ? f.template operator()<double>() : nullptr;
}

// Selects the instance for flags that are known when an instruction is decoded:
//   OnFlags([]<bool left, bool wrap>() { return &Unary<U32, U32, ShiftOp<left, wrap>>; }, left,
//   wrap)
template <bool... known, class F>
StepFunction OnFlags(F f) {
  return f.template operator()<known...>();
}
template <bool... known, class F, class... Flags>
StepFunction OnFlags(F f, bool flag, Flags... flags) {
  return flag ? OnFlags<known..., true>(f, flags...) : OnFlags<known..., false>(f, flags...);
}

// Decodes the operands "d a", "d a a" or "d a a a". All are `bytes` wide, or as wide as the type.
inline void DecodeSlots(Operands& operands, Step& step, std::uint32_t bytes) {
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  if (operands.size() > 2) step.b = operands.Source(2, bytes);
  if (operands.size() > 3) step.c = operands.Source(3, bytes);
}
inline void DecodeSlots(Operands& operands, Step& step) {
  DecodeSlots(operands, step, ptx::Bytes(operands.type()));
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
