// Explains why an access to shared memory takes more passes than it needs, and how to change that.
// Each answer is computed from the addresses of one access, and verified by applying the law
// (counter_law.h) to the changed addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "device/launch_record.h"
#include "hardware/geometry.h"

namespace warpcheck {

// The lanes that wait for each other in the bank with the most words.
struct BankConflict {
  std::uint32_t lanes = 0;  // a mask with one lane for each pass that the bank takes
  bool same_word = false;   // they want one word, at which atomics and copies take turns
};

// A Spacing is a distance that a program can change. The lanes lie in rows, each `now` bytes after
// the one before; if rows have one element, elements have this distance. With `smaller` or `wanted`
// bytes instead, the access has no conflict. One of the two may be 0, which means that there is no
// such spacing.
struct Spacing {
  std::uint32_t now = 0;
  // The next spacing below `now`, if rows have no more elements than this access shows.
  std::uint32_t smaller = 0;
  std::uint32_t wanted = 0;  // the next spacing above `now`
  bool rows = false;         // true if each row has several lanes, or room for several elements
  // The first of the other accesses that has conflicts with this spacing, or nullopt if no other
  // access has.
  std::optional<std::size_t> unsuited{};
};

// Returns how many wavefronts the access takes beyond its ideal, by the law.
std::uint32_t ExcessOf(const MemoryGeometry& geometry, const AccessExample& access);

BankConflict WorstBankConflict(const MemoryGeometry& geometry, const AccessExample& access);

// Returns a spacing with which the access has no conflict, or nullopt if no spacing helps.
// `block_width` is blockDim.x, which says how threads lie in a warp; `others` are the other
// accesses to the same array. Prefers a spacing that also removes the conflicts of all others
// (except conflicts that no spacing removes). If there is no such spacing, Spacing::unsuited names
// an access that keeps conflicts.
std::optional<Spacing> SpacingWithoutConflict(const MemoryGeometry& geometry,
                                              const AccessExample& access,
                                              std::uint32_t block_width,
                                              std::span<const AccessExample> others);

}  // namespace warpcheck
