#include "hardware/bank_passes.h"

#include <algorithm>

namespace warpcheck {
namespace {

// Adds the passes of one group of lanes. `words` counts the words that each bank has delivered so
// far.
void AddGroup(const AccessExample& access, std::uint64_t base, LaneMask group, BankPasses& made,
              std::array<std::size_t, kSharedBanks>& words) {
  std::array<std::vector<LaneMask>, kSharedBanks> banks;
  for (const auto& [word, lanes] : WordsOf(access, base, group)) {
    std::vector<LaneMask>& bank = banks[word % kSharedBanks];
    if (access.LanesTakeTurns()) {
      EachLane(lanes, [&](std::size_t lane) { bank.push_back(LaneMask{1} << lane); });
    } else {
      bank.push_back(lanes);
    }
  }
  const std::size_t first = made.passes.size();
  for (std::size_t b = 0; b < kSharedBanks; ++b) {
    words[b] += banks[b].size();
    if (made.passes.size() < first + banks[b].size()) made.passes.resize(first + banks[b].size());
    for (std::size_t i = 0; i < banks[b].size(); ++i) {
      made.passes[first + i][b] = {.lanes = banks[b][i], .has_conflict = banks[b].size() > 1};
    }
  }
}

// Returns the passes if `together` lanes are served at a time.
BankPasses PassesOfGroups(const AccessExample& access, std::uint64_t base, std::uint32_t together) {
  BankPasses made;
  std::array<std::size_t, kSharedBanks> words = {};
  for (std::uint32_t first = 0; first < kLanes; first += together) {
    AddGroup(access, base, LaneRange(first, together), made, words);
  }
  const auto fullest = std::ranges::max_element(words);
  made.fullest = static_cast<std::size_t>(fullest - words.begin());
  made.most_passes = *fullest;
  return made;
}

}  // namespace

LanesByWord WordsOf(const AccessExample& access, std::uint64_t base, LaneMask lanes) {
  LanesByWord words;
  EachLane(lanes & access.mask, [&](std::size_t lane) {
    const std::uint64_t first = base + access.offsets[lane];
    const std::uint64_t last = first + access.bytes - 1;
    for (std::uint64_t word = first / kBankBytes; word <= last / kBankBytes; ++word) {
      words[word] |= LaneMask{1} << lane;
    }
  });
  return words;
}

BankPasses PassesOf(const AccessExample& access, std::uint64_t base) {
  constexpr std::uint32_t kAll = kLanes;
  std::uint32_t together = std::clamp(kSharedBanks * kBankBytes / access.bytes, 1U, kAll);
  BankPasses made = PassesOfGroups(access, base, together);
  while (access.cost != 0 && made.passes.size() > access.cost && together < kAll) {
    together *= 2;
    made = PassesOfGroups(access, base, together);
  }
  return made;
}

}  // namespace warpcheck
