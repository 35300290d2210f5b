// Cuts an access to shared memory into passes, for a picture of it: which lanes get which word from
// which bank in which pass. counter_law.h only counts the passes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "device/lanes.h"
#include "device/launch_record.h"
#include "hardware/geometry.h"

namespace warpcheck {

// The lanes that touch each word of 4 bytes, by address / kBankBytes.
using LanesByWord = std::map<std::uint64_t, LaneMask>;

// Returns the words that the lanes of `lanes` touch. `base` is the address of offset 0.
LanesByWord WordsOf(const AccessExample& access, std::uint64_t base, LaneMask lanes = kAllLanes);

// A word that a bank gives in one pass.
struct BankWord {
  LaneMask lanes = 0;         // the lanes that get it; 0 if the bank is idle in this pass
  bool has_conflict = false;  // the bank gives other words to the same group of lanes
};

struct BankPasses {
  std::vector<std::array<BankWord, kSharedBanks>> passes;
  std::size_t fullest = 0;      // the bank that gives the most words
  std::size_t most_passes = 0;  // in which that bank gives one
};

// Returns the passes of an access to shared memory. An access that is wider than a bank goes in
// groups of lanes, of which a load may join two; how many it joined is told by access.cost.
BankPasses PassesOf(const AccessExample& access, std::uint64_t base);

}  // namespace warpcheck
