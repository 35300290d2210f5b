#include "checks/array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace warpcheck {

std::string IndexText(const Extents& extents, std::size_t index) {
  std::vector<std::size_t> position(extents.size());
  for (std::size_t i = extents.size(); i-- > 0;) {
    position[i] = index % extents[i];
    index /= extents[i];
  }
  return fmt::format("[{}]", fmt::join(position, ", "));
}

std::vector<ByteRange> UnsetElements(std::span<const std::byte> bytes, std::size_t size) {
  std::vector<ByteRange> ranges;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    const auto element = bytes.subspan(at, size);
    const bool unset =
        std::ranges::all_of(element, [](std::byte byte) { return byte == std::byte{0xFF}; });
    if (!unset) continue;
    if (!ranges.empty() && ranges.back().begin + ranges.back().bytes == at) {
      ranges.back().bytes += size;
    } else {
      ranges.push_back({at, size});
    }
  }
  return ranges;
}

}  // namespace warpcheck
