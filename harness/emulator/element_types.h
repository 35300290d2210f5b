// The types that loads and stores are made for: elements in memory, and registers.
#pragma once

#include <cstdint>

#include "emulator/step.h"
#include "ptx/types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

template <class T, class R, class Pick>
StepFunction OfCount(Pick pick, int count) {
  switch (count) {
    case 1:
      return pick.template operator()<T, R, 1>();
    case 2:
      return pick.template operator()<T, R, 2>();
    case 4:
      return pick.template operator()<T, R, 4>();
    case 8:
      return pick.template operator()<T, R, 8>();
    default:
      return nullptr;
  }
}

template <class T, class Pick>
StepFunction OfRegister(Pick pick, int count, std::uint32_t register_bytes) {
  switch (register_bytes) {
    case 2:
      if constexpr (sizeof(T) <= 2) return OfCount<T, std::uint16_t>(pick, count);
      break;
    case 4:
      if constexpr (sizeof(T) <= 4) return OfCount<T, std::uint32_t>(pick, count);
      break;
    case 8:
      return OfCount<T, std::uint64_t>(pick, count);
    default:
      break;
  }
  return nullptr;
}

// pick.operator()<T, R, count>(), for elements of type T, registers of type R; null where the two
// do not go together.
template <class Pick>
StepFunction OnElements(Pick pick, ptx::Type type, int count, std::uint32_t register_bytes) {
  const bool is_signed = ptx::IsSigned(type);
  switch (ptx::Bytes(type)) {
    case 1:
      return is_signed ? OfRegister<std::int8_t>(pick, count, register_bytes)
                       : OfRegister<std::uint8_t>(pick, count, register_bytes);
    case 2:
      return is_signed ? OfRegister<std::int16_t>(pick, count, register_bytes)
                       : OfRegister<std::uint16_t>(pick, count, register_bytes);
    case 4:
      return is_signed ? OfRegister<std::int32_t>(pick, count, register_bytes)
                       : OfRegister<std::uint32_t>(pick, count, register_bytes);
    case 8:
      return OfRegister<std::uint64_t>(pick, count, register_bytes);
    default:
      return nullptr;
  }
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
