// The lanes of a warp: their number, and masks that name some of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpcheck {

// The lanes of a warp, on every GPU so far (PTX ISA, "WARP_SZ").
inline constexpr int kLanes = 32;

using LaneMask = std::uint32_t;  // bit i stands for lane i
inline constexpr LaneMask kAllLanes = ~LaneMask{0};

// Returns a mask of `count` lanes (at most kLanes) from lane `first` on.
constexpr LaneMask LaneRange(std::uint32_t first, std::uint32_t count) {
  return static_cast<LaneMask>(((std::uint64_t{1} << count) - 1) << first);
}

// Calls body(number of the lane) for each lane of the mask, in ascending order.
template <class Body>
void EachLane(LaneMask lanes, Body body) {
  for (; lanes != 0; lanes &= lanes - 1) body(static_cast<std::size_t>(std::countr_zero(lanes)));
}

// Returns the lanes of `lanes` for which test(number of the lane) holds.
template <class Test>
LaneMask LanesAmong(LaneMask lanes, Test test) {
  LaneMask chosen = 0;
  EachLane(lanes, [&](std::size_t lane) { chosen |= (test(lane) ? LaneMask{1} : 0) << lane; });
  return chosen;
}

}  // namespace warpcheck
