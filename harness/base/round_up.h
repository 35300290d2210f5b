#pragma once

#include <cstdint>

namespace warpcheck {

// The smallest multiple of `unit` that is not below `value`; `value` itself where there is no unit
// (0). `value + unit` has to fit in 64 bits.
constexpr std::uint64_t RoundUp(std::uint64_t value, std::uint64_t unit) {
  return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

}  // namespace warpcheck
