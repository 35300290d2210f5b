// Why an access to shared memory takes more passes than it needs, and what would mend it: computed
// from the addresses of one access, and proved by the law on the changed ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "device/launch_record.h"
#include "hardware/geometry.h"

namespace warpcheck {

// Lanes that wait for each other, in the bank where most of them do.
struct BankConflict {
  std::uint32_t lanes = 0;  // one for each pass that the bank takes, a bit each
  bool same_word = false;   // they want one word: atomics take turns at it
};

// By what a program may change where lanes go: they lie in rows, each `now` bytes behind the one
// before, or, where nothing is between, as elements that far apart. With `smaller` or `wanted` the
// access has no conflict; one of the two may be 0.
struct Spacing {
  std::uint32_t now = 0;
  std::uint32_t smaller = 0;  // the next one below it, if the rows hold no more than was seen
  std::uint32_t wanted = 0;   // the next one above it
  bool rows = false;          // several lanes, or room for several elements, in each
  // The first of the other accesses that has conflicts with it; none does where one suits all.
  std::optional<std::size_t> unsuited{};
};

// The wavefronts that such an access takes beyond its ideal, by the law (counter_law.h).
std::uint32_t ExcessOf(const MemoryGeometry& geometry, const AccessExample& access);

BankConflict WorstBankConflict(const MemoryGeometry& geometry, const AccessExample& access);

// nullopt where no such change helps. `block_width`: blockDim.x, which says how threads lie in a
// warp. `others`: accesses to the same array. One that frees all of them, but those that none
// frees; where there is none, one that frees this access alone, with Spacing::unsuited.
std::optional<Spacing> SpacingWithoutConflict(const MemoryGeometry& geometry,
                                              const AccessExample& access,
                                              std::uint32_t block_width,
                                              std::span<const AccessExample> others);

}  // namespace warpcheck
