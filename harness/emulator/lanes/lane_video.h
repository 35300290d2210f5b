// Video instructions on one lane (PTX ISA, "Video Instructions"): parts of registers, wider than
// they are, and back.
#pragma once

#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/module.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// A part of a register pair {b, a} as a number; small enough to be handed about.
struct VideoPart {
  std::uint8_t bits = 32;
  std::uint8_t shift = 0;
  bool is_signed = false;
};

inline std::int64_t Extract(std::uint64_t pair, VideoPart part) {
  const std::uint64_t moved = pair >> part.shift << (64 - part.bits);
  return part.is_signed ? static_cast<std::int64_t>(moved) >> (64 - part.bits)
                        : static_cast<std::int64_t>(moved >> (64 - part.bits));
}

inline std::int64_t SaturateTo(std::int64_t value, std::uint8_t bits, bool is_signed) {
  const std::int64_t top = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t low = is_signed ? -top - 1 : 0;
  return value < low ? low : value > top ? top : value;
}

// `into` with the part replaced by the low bits of `value`.
inline std::uint32_t Merge(std::uint32_t into, std::int64_t value, std::uint8_t bits,
                           std::uint8_t shift) {
  const auto ones = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  return (into & ~(ones << shift)) | (static_cast<std::uint32_t>(value) & ones) << shift;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA
