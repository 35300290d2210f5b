// Chooses the instance of a step function by the type of an instruction:
//   OnInteger(type, []<class T>() { return &Binary<T, T, T, Add>; })
// null for a type that is not in the set.
#pragma once

#include "emulator/code/operands.h"
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

// Untyped bits, as unsigned integers of the width of the type (of any kind).
template <class F>
StepFunction OnBits(ptx::Type type, F f) {
  switch (ptx::Bytes(type)) {
    case 2:
      return f.template operator()<std::uint16_t>();
    case 4:
      return f.template operator()<std::uint32_t>();
    case 8:
      return f.template operator()<std::uint64_t>();
    default:
      return nullptr;
  }
}

template <class F>
StepFunction OnFloat(ptx::Type type, F f) {
  switch (type) {
    case ptx::Type::kF32:
      return f.template operator()<float>();
    case ptx::Type::kF64:
      return f.template operator()<double>();
    default:
      return nullptr;
  }
}

// Slots of "d a", "d a a", "d a a a", all `bytes` wide.
inline void DecodeSlots(Operands& operands, Step& step, std::uint32_t bytes) {
  step.d = operands.Destination(0, bytes);
  step.a = operands.Source(1, bytes);
  if (operands.size() > 2) step.b = operands.Source(2, bytes);
  if (operands.size() > 3) step.c = operands.Source(3, bytes);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
