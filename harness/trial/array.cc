#include "trial/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "results/result_map.h"

namespace warpcheck {

std::size_t ElementsOf(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies());
}

std::string IndexText(const Extents& extents, std::size_t index) {
  return fmt::format("[{}]", fmt::join(PlaceOf(extents, index), ", "));
}

bool IsUnset(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0xFF}; });
}

std::vector<ByteRange> UnsetElements(std::span<const std::byte> bytes, std::size_t size) {
  std::vector<ByteRange> ranges;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    if (!IsUnset(bytes.subspan(at, size))) continue;
    if (!ranges.empty() && ranges.back().begin + ranges.back().bytes == at) {
      ranges.back().bytes += size;
    } else {
      ranges.push_back({at, size});
    }
  }
  return ranges;
}

}  // namespace warpcheck
