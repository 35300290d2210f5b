#include "emulator/counters/bank_conflicts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "emulator/counters/counter_law.h"

namespace warpcheck::emulator {
namespace {

using Offsets = std::array<std::int64_t, kWarpLanes>;

// How far a spacing is looked for: farther ones repeat what the banks do.
constexpr std::uint32_t kMostWords = 32;
// Elements that are at least so many words apart are called rows.
constexpr std::uint32_t kWordsOfARow = 8;

// Lanes at base + x * across + y * down, where lane `i` is at x = (first + i) % width, and y counts
// how often x has begun anew.
struct Grid {
  std::uint32_t width = 0;
  std::uint32_t first = 0;
  std::int64_t across = 0;
  std::int64_t down = 0;

  std::int64_t X(std::uint32_t lane) const { return (first + lane) % width; }
  std::int64_t Y(std::uint32_t lane) const { return (first + lane) / width; }
  std::int64_t At(std::uint32_t lane) const { return X(lane) * across + Y(lane) * down; }
};

template <class Body>
void EachLaneOf(const AccessExample& access, Body body) {
  for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
    body(static_cast<std::uint32_t>(std::countr_zero(left)));
  }
}

std::int64_t OffsetOf(const AccessExample& access, std::uint32_t lane) {
  return static_cast<std::int64_t>(access.offsets[lane]);
}

// Bytes from one lane to another for which `same` does not change and `other` grows by one.
template <class Same, class Other>
std::int64_t StepOf(const AccessExample& access, Same same, Other other) {
  std::int64_t step = 0;
  EachLaneOf(access, [&](std::uint32_t a) {
    EachLaneOf(access, [&](std::uint32_t b) {
      if (step == 0 && same(a) == same(b) && other(b) == other(a) + 1) {
        step = OffsetOf(access, b) - OffsetOf(access, a);
      }
    });
  });
  return step;
}

bool Fits(const AccessExample& access, const Grid& grid) {
  const auto lowest = static_cast<std::uint32_t>(std::countr_zero(access.mask));
  const std::int64_t base = OffsetOf(access, lowest) - grid.At(lowest);
  bool fits = true;
  EachLaneOf(access, [&](std::uint32_t lane) {
    fits = fits && base + grid.At(lane) == OffsetOf(access, lane);
  });
  return fits;
}

// How the lanes lie; the plainest that fits.
std::optional<Grid> GridOf(const AccessExample& access, std::uint32_t block_width) {
  for (const std::uint32_t width : {kWarpLanes + 0U, block_width, 16U, 8U, 4U, 2U}) {
    if (width == 0) continue;
    const std::uint32_t step = std::gcd(width, kWarpLanes + 0U);
    for (std::uint32_t first = 0; first < width; first += step) {
      Grid grid{.width = width, .first = first};
      const auto x = [&](std::uint32_t lane) { return grid.X(lane); };
      const auto y = [&](std::uint32_t lane) { return grid.Y(lane); };
      grid.across = StepOf(access, y, x);
      grid.down = StepOf(access, x, y);
      if (Fits(access, grid)) return grid;
    }
  }
  return std::nullopt;
}

// The strides of a grid that can be spacings, the largest first: what lies between is not filled by
// the access itself.
std::vector<std::int64_t> Spacings(const AccessExample& access, const Grid& grid) {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  EachLaneOf(access, [&](std::uint32_t lane) {
    columns = std::max(columns, grid.X(lane) + 1);
    rows = std::max(rows, grid.Y(lane) + 1);
  });
  std::vector<std::pair<std::int64_t, std::int64_t>> strides = {{std::abs(grid.across), columns},
                                                                {std::abs(grid.down), rows}};
  std::sort(strides.begin(), strides.end());
  std::vector<std::int64_t> spacings;
  std::int64_t filled = access.bytes;
  for (const auto& [stride, count] : strides) {
    if (stride == 0 || count < 2) continue;
    if (stride > filled) spacings.insert(spacings.begin(), stride);
    filled = std::max(filled, stride * (count - 1) + filled);
  }
  return spacings;
}

// A stride of whole rows grows with them; a shorter one stays, and others fit no rows.
std::optional<std::int64_t> Changed(std::int64_t stride, std::int64_t now, std::int64_t wanted) {
  if (std::abs(stride) < now) return stride;
  if (stride % now != 0) return std::nullopt;
  return stride / now * wanted;
}

// The access as it would be; nullopt where the change does not fit it.
std::optional<AccessExample> Respaced(const AccessExample& access, Grid grid, std::int64_t now,
                                      std::int64_t wanted) {
  const auto across = Changed(grid.across, now, wanted);
  const auto down = Changed(grid.down, now, wanted);
  if (!across || !down) return std::nullopt;
  grid.across = *across;
  grid.down = *down;
  std::int64_t lowest = INT64_MAX;
  EachLaneOf(access, [&](std::uint32_t lane) { lowest = std::min(lowest, grid.At(lane)); });
  const auto phase =
      static_cast<std::int64_t>(*std::min_element(access.offsets.begin(), access.offsets.end()));
  AccessExample changed = access;
  EachLaneOf(access, [&](std::uint32_t lane) {
    changed.offsets[lane] = static_cast<std::uint64_t>(grid.At(lane) - lowest + phase);
  });
  return changed;
}

// Whether none of the accesses gets worse.
bool Bears(const MemoryGeometry& geometry, std::span<const AccessExample> accesses,
           std::uint32_t block_width, std::int64_t now, std::int64_t wanted) {
  return std::ranges::all_of(accesses, [&](const AccessExample& access) {
    const auto grid = GridOf(access, block_width);
    if (!grid) return true;
    const auto changed = Respaced(access, *grid, now, wanted);
    return !changed || ExcessOf(geometry, *changed) <= ExcessOf(geometry, access);
  });
}

}  // namespace

std::uint32_t ExcessOf(const MemoryGeometry& geometry, const AccessExample& access) {
  const WarpAccess warp{access.mask, access.offsets.data(), access.bytes};
  const SharedCost cost = CostOfShared(geometry, warp, access.kind);
  return cost.wavefronts - cost.ideal_wavefronts;
}

BankConflict WorstBankConflict(const MemoryGeometry& geometry, const AccessExample& access) {
  // Of wide accesses a half or a quarter of the warp goes to the banks together.
  const std::uint32_t together =
      std::min(kWarpLanes + 0U, geometry.wavefront_bytes() / std::max(access.bytes, 4U));
  const std::uint32_t word_bytes = geometry.shared_bank_bytes;
  const bool turns = access.kind == AccessExample::Kind::kAtomic;
  BankConflict worst;
  for (std::uint32_t first = 0; first < kWarpLanes; first += together) {
    std::map<std::uint32_t, std::map<std::uint64_t, std::uint32_t>> banks;  // words, with a lane
    std::map<std::uint32_t, std::uint32_t> lanes;                           // of a bank
    EachLaneOf(access, [&](std::uint32_t lane) {
      if (lane < first || lane >= first + together) return;
      const std::uint32_t words = std::max(1U, access.bytes / word_bytes);
      for (std::uint32_t i = 0; i < words; ++i) {
        const std::uint64_t word = access.offsets[lane] / word_bytes + i;
        const auto bank = static_cast<std::uint32_t>(word % geometry.shared_banks);
        const bool added = banks[bank].try_emplace(word, lane).second;
        if (added || turns) lanes[bank] |= 1U << lane;
      }
    });
    for (const auto& [bank, met] : lanes) {
      if (std::popcount(met) <= std::popcount(worst.lanes)) continue;
      worst = {.lanes = met, .same_word = banks[bank].size() == 1};
    }
  }
  return worst;
}

std::optional<Spacing> SpacingWithoutConflict(const MemoryGeometry& geometry,
                                              const AccessExample& access,
                                              std::uint32_t block_width,
                                              std::span<const AccessExample> others) {
  const auto grid = GridOf(access, block_width);
  if (!grid || ExcessOf(geometry, access) == 0) return std::nullopt;
  const std::int64_t most = std::int64_t{kMostWords} * geometry.shared_bank_bytes;
  const std::vector<std::int64_t> spacings = Spacings(access, *grid);
  // Whole elements, as the widest access has them: others may take parts of one.
  std::int64_t step = access.bytes;
  for (const AccessExample& other : others) step = std::max<std::int64_t>(step, other.bytes);
  for (const bool all : {true, false}) {
    for (const std::int64_t now : spacings) {
      for (std::int64_t wanted = now + step; wanted <= now + most; wanted += step) {
        const auto changed = Respaced(access, *grid, now, wanted);
        if (!changed) break;
        if (ExcessOf(geometry, *changed) != 0) continue;
        if (all && !Bears(geometry, others, block_width, now, wanted)) continue;
        return Spacing{.now = static_cast<std::uint32_t>(now),
                       .wanted = static_cast<std::uint32_t>(wanted),
                       .rows = now >= std::int64_t{kWordsOfARow} * geometry.shared_bank_bytes,
                       .for_all = all};
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::emulator
