// The basic idea: change the addresses, and count again. A column of a tile with rows of 128 bytes
// lies in one bank; with rows of 132 bytes it does not:
//
//     128 bytes:  lanes 0, 1, 2, ... at 0, 128, 256, ...   in banks 0, 0, 0, ...   32 wavefronts
//     132 bytes:  lanes 0, 1, 2, ... at 0, 132, 264, ...   in banks 0, 1, 2, ...    1 wavefront
//
//     for (wanted = now + element; ; wanted += element)
//       if (the law counts no excess for the access in an array with such rows) return wanted
//
// GridOf finds the rows in the addresses, Moved puts the access into an array with other rows, and
// ExcessOf asks the law. The answer is tried on the other accesses of the array too, because they
// get the new rows with it.
#include "hardware/bank_conflicts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "hardware/counter_law.h"

namespace warpcheck {
namespace {

// Spacings are tried up to this many words. Larger ones repeat the same pattern of banks.
constexpr std::uint32_t kMostWords = 32;
// If elements are at least this many words apart, they are called rows.
constexpr std::uint32_t kWordsOfARow = 8;

// A Grid is a grid of lanes. Lane i lies at base + x * across + y * down, where x = (first + i) %
// width, and y counts how often x has started again.
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

// Returns the distance in bytes between two lanes for which `same` is equal and `other` differs by
// one: with `same` = threadIdx.y and `other` = threadIdx.x, that between neighbours in x.
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

// Returns the simplest grid that fits the addresses, or nullopt if no grid does.
std::optional<Grid> GridOf(const AccessExample& access, std::uint32_t block_width) {
  for (const std::uint32_t width : {kLanes + 0U, block_width, 16U, 8U, 4U, 2U}) {
    if (width == 0) continue;
    const std::uint32_t step = std::gcd(width, kLanes + 0U);
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

// Returns the strides of a grid that can be spacings, the largest first. The access itself must
// leave a gap between the parts that the stride separates.
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

// Returns the access as it would be in an array whose rows lie `wanted` instead of `now` bytes
// apart, moved by `shift` bytes in that array. Returns nullopt if an element extends from one row
// into the next.
std::optional<AccessExample> Moved(const AccessExample& access, std::uint64_t now,
                                   std::uint64_t wanted, std::uint64_t shift = 0) {
  AccessExample moved = access;
  bool fits = true;
  EachLaneOf(access, [&](std::uint32_t lane) {
    const std::uint64_t at = access.base.bytes + shift + access.offsets[lane];
    fits = fits && at % now + access.bytes <= now;
    moved.offsets[lane] = at / now * wanted + at % now;
  });
  return fits ? std::optional(moved) : std::nullopt;
}

// Returns true if neighbouring lanes continue in the next row where one ends: then each warp begins
// at another place in a row.
bool RunsAcrossRows(const AccessExample& access, std::uint64_t now) {
  bool runs = false;
  EachLaneOf(access, [&](std::uint32_t lane) {
    const bool next = lane + 1 < kLanes && (access.mask >> (lane + 1) & 1U) != 0;
    const std::uint64_t at = access.base.bytes + access.offsets[lane];
    runs = runs || (next && access.offsets[lane + 1] == access.offsets[lane] + access.bytes &&
                    (at + access.bytes) % now == 0);
  });
  return runs && (access.base.bytes % now != 0 || std::uint64_t{kLanes} * access.bytes % now != 0);
}

// Returns the most excess wavefronts of the access with rows `wanted` bytes apart, over all places
// where a warp may begin in a row. If lanes access parts of a word, these places include positions
// in a word. Returns nullopt if the access does not fit such rows.
std::optional<std::uint32_t> ExcessWith(const MemoryGeometry& geometry, const AccessExample& access,
                                        std::uint64_t now, std::uint64_t wanted) {
  const bool parts = access.bytes < geometry.shared_bank_bytes;
  const std::uint64_t shifts = RunsAcrossRows(access, now) ? now
                               : parts                     ? geometry.shared_bank_bytes
                                                           : 1;
  std::uint32_t excess = 0;
  for (std::uint64_t shift = 0; shift < shifts; shift += std::max(access.bytes, 1U)) {
    const auto moved = Moved(access, now, wanted, shift);
    if (!moved) return std::nullopt;
    excess = std::max(excess, ExcessOf(geometry, *moved));
  }
  return excess;
}

// Searches for a spacing that is good for all accesses to one array.
class Search {
 public:
  Search(const MemoryGeometry& geometry, const AccessExample& access,
         std::span<const AccessExample> others, std::uint32_t block_width)
      : geometry_(geometry), access_(access), others_(others), block_width_(block_width) {
    for (std::size_t i = 0; i <= others.size(); ++i) {
      const AccessExample& one = i == 0 ? access : others[i - 1];
      widest_ = std::max<std::uint64_t>(widest_, one.bytes);
      const auto grid = GridOf(one, block_width);
      if (!grid) continue;
      for (const std::int64_t spacing : Spacings(one, *grid)) {
        const auto now = static_cast<std::uint64_t>(spacing);
        if (std::ranges::find(nows_, now) == nows_.end()) nows_.push_back(now);
      }
      for (const std::int64_t stride : {std::abs(grid->across), std::abs(grid->down)}) {
        if (stride != 0) strides_.push_back(static_cast<std::uint64_t>(stride));
      }
    }
  }

  // ForThisOne returns a spacing with which this access has no conflict, whatever happens to the
  // others. ForAll returns a spacing that also removes the conflicts of the others. Accesses whose
  // conflicts no spacing removes must not get more of them.
  std::optional<Spacing> ForThisOne() const { return Find(false); }
  std::optional<Spacing> ForAll() {
    hopeless_.clear();
    for (const AccessExample& other : others_) {
      const bool conflicts = ExcessOf(geometry_, other) > 0;
      hopeless_.push_back(conflicts && !Search(geometry_, other, {}, block_width_).ForThisOne());
    }
    return Find(true);
  }

  // Returns the first of the other accesses that has conflicts with the spacing.
  std::optional<std::size_t> NotSuitedBy(const Spacing& spacing) const {
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (!Bears(i, spacing.now, spacing.wanted != 0 ? spacing.wanted : spacing.smaller)) return i;
    }
    return std::nullopt;
  }

 private:
  bool Bears(std::size_t other, std::uint64_t now, std::uint64_t wanted) const {
    const auto excess = ExcessWith(geometry_, others_[other], now, wanted);
    if (!excess) return false;
    return *excess == 0 || (hopeless_[other] && *excess <= ExcessOf(geometry_, others_[other]));
  }

  bool AllBear(std::uint64_t now, std::uint64_t wanted) const {
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (!Bears(i, now, wanted)) return false;
    }
    return true;
  }

  std::optional<Spacing> Find(bool for_all) const {
    for (const std::uint64_t now : nows_) {
      const auto good = [&](std::uint64_t wanted) {
        return ExcessWith(geometry_, access_, now, wanted) == 0U &&
               (!for_all || AllBear(now, wanted));
      };
      const std::uint64_t step = ElementOf(now);
      const std::uint64_t filled = Filled(now);
      Spacing spacing{.now = static_cast<std::uint32_t>(now),
                      .rows = now >= std::uint64_t{kWordsOfARow} * geometry_.shared_bank_bytes};
      for (std::uint64_t wanted = now; wanted >= filled + step && spacing.smaller == 0;) {
        wanted -= step;
        if (good(wanted)) spacing.smaller = static_cast<std::uint32_t>(wanted);
      }
      const std::uint64_t most = now + std::uint64_t{kMostWords} * geometry_.shared_bank_bytes;
      for (std::uint64_t wanted = now + step; wanted <= most && spacing.wanted == 0;
           wanted += step) {
        if (good(wanted)) spacing.wanted = static_cast<std::uint32_t>(wanted);
      }
      if (spacing.smaller != 0 || spacing.wanted != 0) return spacing;
    }
    return std::nullopt;
  }

  // Returns the step by which rows grow and shrink: the size of an element. That is the width of
  // the widest access. If accesses read only a part of each element, it is the distance between
  // these parts.
  std::uint64_t ElementOf(std::uint64_t now) const {
    std::uint64_t element = 0;
    for (const std::uint64_t stride : strides_) {
      if (stride < now && now % stride == 0) element = std::gcd(element, stride);
    }
    return element % widest_ == 0 && element != 0 ? element : widest_;
  }

  // Returns how many bytes of each row all accesses use, because a single access does not tell.
  std::uint64_t Filled(std::uint64_t now) const {
    if (others_.empty()) return now;
    std::uint64_t filled = 0;
    const auto look = [&](const AccessExample& access) {
      EachLaneOf(access, [&](std::uint32_t lane) {
        filled = std::max(filled, (access.base.bytes + access.offsets[lane]) % now + access.bytes);
      });
    };
    look(access_);
    std::ranges::for_each(others_, look);
    return filled;
  }

  const MemoryGeometry& geometry_;
  const AccessExample& access_;
  std::span<const AccessExample> others_;
  std::uint32_t block_width_;
  std::vector<bool> hopeless_;  // true for an access of others_ whose conflicts no spacing removes
  std::uint64_t widest_ = 1;
  std::vector<std::uint64_t> nows_;
  std::vector<std::uint64_t> strides_;
};

}  // namespace

std::uint32_t ExcessOf(const MemoryGeometry& geometry, const AccessExample& access) {
  const WarpAccess warp{access.mask, access.offsets.data(), access.bytes};
  const SharedCost cost = CostOfShared(geometry, warp, access.kind);
  return cost.wavefronts - cost.ideal_wavefronts;
}

BankConflict WorstBankConflict(const MemoryGeometry& geometry, const AccessExample& access) {
  // A half or a quarter of the warp goes to the banks at a time if the access is wide.
  const std::uint32_t together =
      access.kind == AccessExample::Kind::kAtomic
          ? kLanes
          : std::min(kLanes + 0U, geometry.wavefront_bytes() / std::max(access.bytes, 4U));
  const std::uint32_t word_bytes = geometry.shared_bank_bytes;
  BankConflict worst;
  for (std::uint32_t first = 0; first < kLanes; first += together) {
    std::map<std::uint32_t, std::map<std::uint64_t, std::uint32_t>>
        // For each bank, its words with one lane for each word.
        banks;
    std::map<std::uint32_t, std::uint32_t> lanes;  // for each bank, its lanes
    EachLaneOf(access, [&](std::uint32_t lane) {
      if (lane < first || lane >= first + together) return;
      const std::uint32_t words = std::max(1U, access.bytes / word_bytes);
      for (std::uint32_t i = 0; i < words; ++i) {
        const std::uint64_t word = access.offsets[lane] / word_bytes + i;
        const auto bank = static_cast<std::uint32_t>(word % geometry.shared_banks);
        const bool added = banks[bank].try_emplace(word, lane).second;
        if (added || access.LanesTakeTurns()) lanes[bank] |= 1U << lane;
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
  if (ExcessOf(geometry, access) == 0) return std::nullopt;
  Search search(geometry, access, others, block_width);
  if (auto spacing = search.ForAll()) return spacing;
  auto spacing = search.ForThisOne();
  if (spacing) spacing->unsuited = search.NotSuitedBy(*spacing);
  return spacing;
}

}  // namespace warpcheck
