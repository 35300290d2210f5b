#include "emulator/access/texture_sectors.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kWidest = 16;  // the bytes of the widest texel

// A group of neighbouring lanes whose texels the cache looks up together.
struct Group {
  std::size_t lanes = 4;
  std::uint64_t times = 1;  // how often it does so for one fetch
};

Group GroupOf(const TextureDescriptor& texture) {
  const bool widest = texture.TexelBytes() == kWidest;
  if (texture.is_linear_memory != 0) return {.lanes = widest ? 4U : 8U};
  if (texture.interpolates == 0) return {};
  if (texture.depth != 0) return {.lanes = 2};
  return widest ? Group{.lanes = 2, .times = 2} : Group{};
}

// Returns the place of a texel's sector. A sector of a CUDA array has 16 bytes of two rows; other
// sectors have 32 bytes of one row.
TexelPlace SectorOf(const TextureDescriptor& texture, const TexelPlace& place) {
  const bool rows_alone = texture.is_linear_memory != 0 || texture.is_pitched_memory != 0;
  const std::uint32_t rows = rows_alone ? 1 : 2;
  const auto bytes = static_cast<std::uint32_t>(kSectorBytes) / rows;
  const std::uint64_t begin = std::uint64_t{place[0]} * texture.TexelBytes();
  return {static_cast<std::uint32_t>(begin / bytes), place[1] / rows, place[2]};
}

// Keeps the different places that a group of lanes looks up.
class Places {
 public:
  void Add(const TexelPlace& place) {
    const auto end = places_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (std::find(places_.begin(), end, place) == end) places_[count_++] = place;
  }
  std::uint64_t count() const { return count_; }

 private:
  // Four lanes look up four texels each at most, and two lanes eight.
  std::array<TexelPlace, 16> places_ = {};
  std::size_t count_ = 0;
};

}  // namespace

bool CountsSectors(const TextureDescriptor& texture) {
  return texture.depth == 0 || texture.interpolates == 0 || texture.TexelBytes() <= 4;
}

Tally TextureCost(const TextureDescriptor& texture, LaneMask lanes, const ReadsOfLanes& reads) {
  const Group group = GroupOf(texture);
  const std::uint64_t texel = texture.TexelBytes();
  Tally cost;
  for (std::size_t first = 0; first < kLanes; first += group.lanes) {
    Places sectors;
    Places texels;
    std::uint64_t lanes_of_group = 0;
    for (std::size_t lane = first; lane < first + group.lanes; ++lane) {
      const TexelReads& needs = reads[lane];
      if ((lanes >> lane & 1U) == 0 || needs.lookups == 0) continue;
      ++lanes_of_group;
      for (std::uint32_t i = 0; i < needs.lookups; ++i) {
        sectors.Add(SectorOf(texture, needs.places[i]));
        texels.Add(needs.places[i]);
      }
    }
    cost.lanes += lanes_of_group;
    cost.bytes += std::max(lanes_of_group, texels.count()) * texel;
    cost.cost += group.times * sectors.count();
    cost.ideal += group.times * ((texels.count() * texel + kSectorBytes - 1) / kSectorBytes);
  }
  cost.requests = cost.lanes == 0 ? 0 : 1;
  return cost;
}

}  // namespace warpcheck::emulator
