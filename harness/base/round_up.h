// RoundUp rounds sizes and offsets up to a multiple.
#pragma once

#include <cstdint>

namespace warpcheck {

// Returns the smallest multiple of `unit` that is at least `value`, or `value` itself if `unit` is
// 0. `value + unit` must fit in 64 bits.
constexpr std::uint64_t RoundUp(std::uint64_t value, std::uint64_t unit) {
  return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

}  // namespace warpcheck
