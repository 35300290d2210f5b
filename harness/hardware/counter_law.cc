#include "hardware/counter_law.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace warpcheck {
namespace {

constexpr int kMaxWordsPerLane = 4;

std::uint32_t CeilDiv(std::uint32_t value, std::uint32_t by) { return (value + by - 1) / by; }

std::uint32_t ActiveLanes(const WarpAccess& access) {
  return static_cast<std::uint32_t>(std::popcount(access.mask));
}

// The addresses of the active lanes, packed and in ascending order.
class SortedAddresses {
 public:
  explicit SortedAddresses(const WarpAccess& access) {
    bool ascending = true;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
      const std::uint64_t address = access.addresses[std::countr_zero(left)];
      ascending &= count_ == 0 || addresses_[count_ - 1] <= address;
      addresses_[count_++] = address;
    }
    if (!ascending) std::sort(addresses_.begin(), addresses_.begin() + count_);
  }

  // Returns how many blocks of 2^shift bytes are accessed by accesses of `width` bytes at these
  // addresses.
  std::uint32_t DistinctBlocks(int shift, std::uint32_t width) const {
    std::uint64_t distinct = 0;
    std::uint64_t next = 0;  // the lowest block that is not counted yet
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint64_t first = std::max(next, addresses_[i] >> shift);
      const std::uint64_t end = ((addresses_[i] + (width - 1)) >> shift) + 1;
      distinct += end > first ? end - first : 0;
      next = std::max(next, end);
    }
    return static_cast<std::uint32_t>(distinct);
  }

 private:
  std::array<std::uint64_t, kLanes> addresses_;
  std::size_t count_ = 0;
};

// Returns how many different words a group of lanes needs from the most loaded bank.
std::uint32_t WavefrontsOfGroup(const MemoryGeometry& geometry, const WarpAccess& access,
                                std::uint32_t group) {
  std::uint32_t most = 0;
  std::array<std::uint8_t, kSharedBanks> counts{};
  // Each lane needs at most one word from a bank, because the lane's words are neighbours.
  std::array<std::array<std::uint64_t, kLanes>, kSharedBanks> wanted;
  const int shift = std::countr_zero(geometry.shared_bank_bytes);
  const std::uint32_t words = std::clamp<std::uint32_t>(access.width >> shift, 1, kMaxWordsPerLane);
  for (std::uint32_t left = access.mask & group; left != 0; left &= left - 1) {
    const std::uint64_t first = access.addresses[std::countr_zero(left)] >> shift;
    for (std::uint64_t word = first; word < first + words; ++word) {
      const std::size_t bank = word & (geometry.shared_banks - 1);
      const auto begin = wanted[bank].begin();
      const auto end = begin + counts[bank];
      if (std::find(begin, end, word) != end) continue;
      *end = word;
      most = std::max<std::uint32_t>(most, ++counts[bank]);
    }
  }
  return most;
}

// Returns the sum over groups of `lanes` lanes, which are served one after the other. Only lanes in
// `among` count.
std::uint32_t WavefrontsByGroups(const MemoryGeometry& geometry, const WarpAccess& access,
                                 std::uint32_t lanes, std::uint32_t among = ~0u) {
  std::uint32_t wavefronts = 0;
  for (std::uint32_t first = 0; first < kLanes; first += lanes) {
    wavefronts += WavefrontsOfGroup(geometry, access, LaneRange(first, lanes) & among);
  }
  return wavefronts;
}

// Returns true if, for every active lane i of `group`, lane i ^ distance has the same address. An
// inactive partner is accepted if `allow_inactive` is set.
bool PairsAgree(const WarpAccess& access, std::uint32_t group, std::uint32_t distance,
                bool allow_inactive) {
  for (std::uint32_t left = access.mask & group; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t other = lane ^ distance;
    const bool active = (access.mask >> other & 1) != 0;
    if (active ? access.addresses[lane] != access.addresses[other] : !allow_inactive) return false;
  }
  return true;
}

bool OneAddress(const WarpAccess& access) {
  const std::uint64_t address = access.addresses[std::countr_zero(access.mask)];
  for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
    if (access.addresses[std::countr_zero(left)] != address) return false;
  }
  return true;
}

// Returns true if the two groups of a wide load that `merged` joins are one wavefront. By
// measurement, they are one if there is no bank conflict and neighbouring lanes have the same
// address. For groups other than the last, the warp's last lane decides: if it is inactive,
// neighbours may differ; if it is active, all neighbours must be active.
bool Merges(const MemoryGeometry& geometry, const WarpAccess& access, std::uint32_t merged) {
  if (WavefrontsOfGroup(geometry, access, merged) > 1) return false;
  const bool is_last = merged >> (kLanes - 1) != 0;
  const bool last_lane_active = access.mask >> (kLanes - 1) != 0;
  if (!is_last && !last_lane_active) return true;
  return PairsAgree(access, merged, 1, is_last) || PairsAgree(access, merged, 2, is_last);
}

// Returns the wavefronts of a load that is wider than a bank. It is executed in groups of `lanes`
// lanes, and two groups may become one wavefront.
std::uint32_t WavefrontsOfWideLoad(const MemoryGeometry& geometry, const WarpAccess& access,
                                   std::uint32_t lanes) {
  const std::uint32_t merged_lanes = 2 * lanes;
  if (OneAddress(access)) return CeilDiv(ActiveLanes(access), merged_lanes);
  std::uint32_t wavefronts = 0;
  for (std::uint32_t first = 0; first < kLanes; first += merged_lanes) {
    const std::uint32_t merged = LaneRange(first, merged_lanes);
    const bool merges = Merges(geometry, access, merged);
    wavefronts += WavefrontsByGroups(geometry, access, merges ? merged_lanes : lanes, merged);
  }
  return wavefronts;
}

std::uint32_t WavefrontsOf(const MemoryGeometry& geometry, const WarpAccess& access,
                           SharedAccess kind) {
  const std::uint32_t lanes =
      std::min<std::uint32_t>(kLanes, geometry.wavefront_bytes() / access.width);
  const bool wide_load = kind == SharedAccess::kLoad && lanes < kLanes;
  return wide_load ? WavefrontsOfWideLoad(geometry, access, lanes)
                   : WavefrontsByGroups(geometry, access, lanes);
}

// Returns the wavefronts of an atomic with a result: lanes at one bank execute one after another,
// even at equal addresses.
std::uint32_t WavefrontsOfAtomic(const MemoryGeometry& geometry, const WarpAccess& access) {
  std::array<std::uint8_t, kSharedBanks> lanes{};
  std::uint32_t most = 0;
  for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
    const std::uint64_t word =
        access.addresses[std::countr_zero(left)] / geometry.shared_bank_bytes;
    most = std::max<std::uint32_t>(most, ++lanes[word & (geometry.shared_banks - 1)]);
  }
  return most;
}

// Returns the wavefronts of copies through the L1 cache. A lane waits for each lower lane of its
// group that reads from the same banks, and for each that writes to the same banks, even at equal
// addresses. The longest chain of lanes that wait for each other makes the wavefronts of its group.
// Each bank of a span gives the width of one lane; `from` is null if the stores are counted alone.
std::uint32_t WavefrontsOfCopy(const MemoryGeometry& geometry, const WarpAccess& to,
                               const std::uint64_t* from) {
  const std::uint32_t together = geometry.wavefront_bytes() / to.width;
  std::uint32_t wavefronts = 0;
  for (std::uint32_t first = 0; first < kLanes; first += together) {
    std::array<std::uint32_t, kLanes> reads{};  // the last wavefront that reads from these banks
    std::array<std::uint32_t, kLanes> writes{};
    std::uint32_t longest = 0;
    for (std::uint32_t left = to.mask & LaneRange(first, together); left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      std::uint32_t& write = writes[to.addresses[lane] / to.width % together];
      std::uint32_t turn = write;
      if (from != nullptr) turn = std::max(turn, reads[from[lane] / to.width % together]);
      write = ++turn;
      if (from != nullptr) reads[from[lane] / to.width % together] = turn;
      longest = std::max(longest, turn);
    }
    wavefronts += longest;
  }
  return wavefronts;
}

using Places = std::array<std::array<std::uint64_t, 3>, kLanes>;

// Returns how many of the first `count` places are different.
std::uint32_t CountDistinct(Places& places, std::uint32_t count) {
  const auto end = places.begin() + count;
  std::sort(places.begin(), end);
  return static_cast<std::uint32_t>(std::unique(places.begin(), end) - places.begin());
}

// Returns the active lanes without those whose destination a lower lane has.
std::uint32_t LowestOfEachPlace(std::uint32_t mask, const std::uint64_t* to) {
  std::uint32_t kept = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    bool taken = false;
    for (std::uint32_t lower = kept; lower != 0 && !taken; lower &= lower - 1) {
      taken = to[std::countr_zero(lower)] == to[lane];
    }
    if (!taken) kept |= 1U << lane;
  }
  return kept;
}

// Returns true if a lane of `lanes` copies the other half of the sector that `lane` copies a half
// of, between the same two sectors.
bool OtherHalfIsCopied(std::uint32_t lanes, const std::uint64_t* from, const std::uint64_t* to,
                       int lane, std::uint64_t half) {
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int other = std::countr_zero(left);
    if ((from[other] ^ from[lane]) == half && (to[other] ^ to[lane]) == half) return true;
  }
  return false;
}

// Counts a copy past the L1 cache, of 16 bytes a lane. Sectors move from a line of global memory to
// a line of shared memory. All halves of sectors that move between two lines by the same exchange
// (xor) of places are one wavefront, but halves that move alone are apart from those that move with
// the other half of their sector.
void AddCopyPastL1(const MemoryGeometry& geometry, const WarpAccess& from, const std::uint64_t* to,
                   CopyCost& cost) {
  const std::uint64_t halves = geometry.line_bytes / from.width;
  const std::uint32_t lanes = LowestOfEachPlace(from.mask, to);
  Places sectors;
  Places wavefronts;
  std::uint32_t copies = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint64_t source = from.addresses[lane] / from.width;
    const std::uint64_t target = to[lane] / from.width;
    const bool alone = !OtherHalfIsCopied(lanes, from.addresses, to, lane, from.width);
    wavefronts[copies++] = {source / halves, target / halves,
                            (source ^ target) % halves * 4 + (alone ? 2 + target % 2 : 0)};
  }
  std::uint32_t lanes_seen = 0;
  for (std::uint32_t left = from.mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    sectors[lanes_seen++] = {from.addresses[lane] / geometry.sector_bytes,
                             to[lane] / geometry.sector_bytes, 0};
  }
  cost.sectors = CountDistinct(sectors, lanes_seen);
  cost.wavefronts = CountDistinct(wavefronts, copies);
}

// Returns true if all lanes are active and each has its own bank, in lane order, as in most
// kernels.
bool IsConsecutiveWords(const MemoryGeometry& geometry, const WarpAccess& access) {
  if (access.mask != ~0u || access.width != geometry.shared_bank_bytes) return false;
  std::uint64_t differences = 0;
  for (std::uint64_t lane = 0; lane < kLanes; ++lane) {
    differences |= access.addresses[lane] ^ (access.addresses[0] + lane * access.width);
  }
  return differences == 0;
}

}  // namespace

GlobalCost CostOfGlobal(const MemoryGeometry& geometry, const WarpAccess& access) {
  if (access.mask == 0) return {};
  const SortedAddresses sorted(access);
  GlobalCost cost;
  cost.sectors = sorted.DistinctBlocks(std::countr_zero(geometry.sector_bytes), access.width);
  cost.tags = sorted.DistinctBlocks(std::countr_zero(geometry.line_bytes), access.width);
  cost.ideal_sectors =
      std::min(cost.sectors, CeilDiv(ActiveLanes(access) * access.width, geometry.sector_bytes));
  return cost;
}

std::uint32_t PassesOfConstant(const WarpAccess& access) {
  if (access.mask == 0) return 0;
  const int shift = std::countr_zero(std::bit_ceil(std::max(access.width, 4U)));
  return SortedAddresses(access).DistinctBlocks(shift, 1);
}

SharedCost CostOfShared(const MemoryGeometry& geometry, const WarpAccess& access,
                        SharedAccess kind) {
  if (access.mask == 0) return {};
  if (IsConsecutiveWords(geometry, access)) return {.wavefronts = 1, .ideal_wavefronts = 1};
  SharedCost cost;
  cost.wavefronts = kind == SharedAccess::kAtomic ? WavefrontsOfAtomic(geometry, access)
                    : kind == SharedAccess::kCopy ? WavefrontsOfCopy(geometry, access, nullptr)
                                                  : WavefrontsOf(geometry, access, kind);
  cost.ideal_wavefronts = 1;
  if (access.width >= geometry.shared_bank_bytes) {
    const std::uint32_t bytes = ActiveLanes(access) * access.width;
    cost.ideal_wavefronts =
        std::min(cost.wavefronts, std::max(1u, CeilDiv(bytes, geometry.wavefront_bytes())));
  }
  return cost;
}

CopyCost CostOfCopy(const MemoryGeometry& geometry, const WarpAccess& from, const std::uint64_t* to,
                    bool bypass) {
  if (from.mask == 0) return {};
  CopyCost cost;
  if (bypass) {
    AddCopyPastL1(geometry, from, to, cost);
  } else {
    cost.sectors = CostOfGlobal(geometry, from).sectors;
    cost.wavefronts = WavefrontsOfCopy(geometry, {from.mask, to, from.width}, from.addresses);
  }
  const std::uint32_t bytes = ActiveLanes(from) * from.width;
  cost.ideal_sectors = std::min(cost.sectors, CeilDiv(bytes, geometry.sector_bytes));
  cost.ideal_wavefronts = std::min(cost.wavefronts, CeilDiv(bytes, geometry.wavefront_bytes()));
  return cost;
}

}  // namespace warpcheck
