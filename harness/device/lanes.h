// This file defines the number of lanes in a warp, and masks that name some lanes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpcheck {

// The number of lanes in a warp, on every GPU so far (PTX ISA, "WARP_SZ").
inline constexpr int kLanes = 32;

using LaneMask = std::uint32_t;  // bit i stands for lane i
inline constexpr LaneMask kAllLanes = ~LaneMask{0};

// Returns a mask of `count` lanes (at most kLanes), starting with lane `first`.
constexpr LaneMask LaneRange(std::uint32_t first, std::uint32_t count) {
  return static_cast<LaneMask>(((std::uint64_t{1} << count) - 1) << first);
}

// Calls body(lane) with the number of each lane of the mask, in ascending order.
template <class Body>
void EachLane(LaneMask lanes, Body body) {
  for (; lanes != 0; lanes &= lanes - 1) body(static_cast<std::size_t>(std::countr_zero(lanes)));
}

// Returns the lanes of `lanes` for which test(lane) is true.
template <class Test>
LaneMask LanesAmong(LaneMask lanes, Test test) {
  LaneMask chosen = 0;
  EachLane(lanes, [&](std::size_t lane) { chosen |= (test(lane) ? LaneMask{1} : 0) << lane; });
  return chosen;
}

}  // namespace warpcheck
