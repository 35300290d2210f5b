// Explains why an access to shared memory takes more passes than it needs, and what would mend it.
// Each answer is computed from the addresses of one access and verified by the law (counter_law.h)
// on the changed addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "device/launch_record.h"
#include "hardware/geometry.h"

namespace warpcheck {

// The lanes that wait for each other in the fullest bank.
struct BankConflict {
  std::uint32_t lanes = 0;  // a mask with one lane for each pass that the bank takes
  bool same_word = false;   // they want one word, at which atomics and copies take turns
};

// A spacing that a program can change: the lanes lie in rows, each `now` bytes behind the one
// before, or, if rows have one element, as elements that far apart. With `smaller` or `wanted`
// bytes instead, the access has no conflict; one of the two may be 0, which means that there is no
// such spacing.
struct Spacing {
  std::uint32_t now = 0;
  std::uint32_t smaller = 0;  // the next spacing below `now`, if rows hold no more than was seen
  std::uint32_t wanted = 0;   // the next spacing above `now`
  bool rows = false;          // each row has several lanes, or room for several elements
  // The first of the other accesses that has conflicts with this spacing; nullopt if it suits all.
  std::optional<std::size_t> unsuited{};
};

// Returns how many wavefronts the access takes beyond its ideal, by the law.
std::uint32_t ExcessOf(const MemoryGeometry& geometry, const AccessExample& access);

BankConflict WorstBankConflict(const MemoryGeometry& geometry, const AccessExample& access);

// Returns a spacing with which the access has no conflict, or nullopt if none helps. `block_width`
// is blockDim.x, which says how threads lie in a warp; `others` are the other accesses to the same
// array. A spacing that also frees all others (except those that no spacing frees) is preferred;
// failing that, Spacing::unsuited names one that keeps conflicts.
std::optional<Spacing> SpacingWithoutConflict(const MemoryGeometry& geometry,
                                              const AccessExample& access,
                                              std::uint32_t block_width,
                                              std::span<const AccessExample> others);

}  // namespace warpcheck
