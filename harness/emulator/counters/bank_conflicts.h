// Why an access to shared memory takes more passes than it needs, and what would mend it: computed
// from the addresses of one access, and proved by the law on the changed ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "device/launch_record.h"
#include "emulator/counters/hardware.h"

namespace warpcheck::emulator {

// Lanes that wait for each other, in the bank where most of them do.
struct BankConflict {
  std::uint32_t lanes = 0;  // one for each pass that the bank takes, a bit each
  bool same_word = false;   // they want one word: atomics take turns at it
};

// By what a program may change where lanes go: they lie in rows, each `now` bytes behind the one
// before, or, where nothing is between, as elements that far apart.
struct Spacing {
  std::uint32_t now = 0;
  std::uint32_t wanted = 0;  // the next one above it at which the access has no conflict
  bool rows = false;         // several lanes, or room for several elements, in each
  bool for_all = true;       // none of the other accesses to the array gets worse by it
};

// The wavefronts that such an access takes beyond its ideal, by the law (counter_law.h).
std::uint32_t ExcessOf(const MemoryGeometry& geometry, const AccessExample& access);

BankConflict WorstBankConflict(const MemoryGeometry& geometry, const AccessExample& access);

// nullopt where no such change helps. `block_width`: blockDim.x, which says how threads lie in a
// warp. `others`: accesses to the same array, which take no more wavefronts by the change where any
// spacing allows that.
std::optional<Spacing> SpacingWithoutConflict(const MemoryGeometry& geometry,
                                              const AccessExample& access,
                                              std::uint32_t block_width,
                                              std::span<const AccessExample> others);

}  // namespace warpcheck::emulator
