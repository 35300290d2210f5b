// Divides an access to shared memory into passes, for a picture of it: which lanes get which word
// from which bank in which pass. counter_law.h only counts the passes.
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

// The lanes that access each word of 4 bytes, by address / kBankBytes.
using LanesByWord = std::map<std::uint64_t, LaneMask>;

// Returns the words that the lanes of `lanes` access. `base` is the address of the offset 0.
LanesByWord WordsOf(const AccessExample& access, std::uint64_t base, LaneMask lanes = kAllLanes);

// A word that a bank delivers in one pass.
struct BankWord {
  LaneMask lanes = 0;         // the lanes that get the word; 0 if the bank is idle in this pass
  bool has_conflict = false;  // true if the bank delivers further words to the same group of lanes
};

struct BankPasses {
  std::vector<std::array<BankWord, kSharedBanks>> passes;
  std::size_t fullest = 0;      // the bank that delivers the most words
  std::size_t most_passes = 0;  // the number of passes in which that bank delivers a word
};

// Returns the passes of an access to shared memory. An access that is wider than a bank is executed
// in groups of lanes, and a load may join two groups; access.cost tells how many it joined.
BankPasses PassesOf(const AccessExample& access, std::uint64_t base);

}  // namespace warpcheck
