#include "results/result_map.h"

#include <algorithm>
#include <bit>

namespace warpcheck {
namespace {

constexpr std::size_t kMostDimensions = 3;

// Returns the most cells of dimension `i`.
std::uint64_t MostCells(const MapLimits& limits, std::size_t dimensions, std::size_t i) {
  if (dimensions == 1) return limits.line;
  if (dimensions == 2) return limits.side;
  return i == 0 ? limits.slices : limits.side_of_slice;
}

}  // namespace

ResultMap MapOf(std::span<const std::size_t> extents, const MapLimits& limits) {
  ResultMap map;
  map.extents.assign(extents.begin(), extents.end());
  while (map.extents.size() > kMostDimensions) {
    map.extents[1] *= map.extents[0];
    map.extents.erase(map.extents.begin());
  }
  std::uint64_t cells = 1;
  for (std::size_t i = 0; i < map.extents.size(); ++i) {
    const std::uint64_t most = MostCells(limits, map.extents.size(), i);
    map.block.push_back(std::bit_ceil((map.extents[i] + most - 1) / most));
    cells *= map.Cells(i);
  }
  map.cells.assign(cells, ResultMap::kRight);
  return map;
}

std::vector<std::uint64_t> PlaceOf(std::span<const std::uint64_t> extents, std::uint64_t index) {
  std::vector<std::uint64_t> place(extents.size());
  for (std::size_t i = place.size(); i-- > 0; index /= extents[i]) place[i] = index % extents[i];
  return place;
}

void Mark(ResultMap& map, std::uint64_t index, char state) {
  std::uint64_t cell = 0;
  std::uint64_t stride = 1;
  for (std::size_t i = map.extents.size(); i-- > 0; index /= map.extents[i]) {
    cell += index % map.extents[i] / map.block[i] * stride;
    stride *= map.Cells(i);
  }
  char& kept = map.cells[cell];
  const auto rank = [](char c) {
    return c == ResultMap::kRight ? 0 : c == ResultMap::kWrong ? 2 : 1;
  };
  if (rank(state) > rank(kept)) kept = state;
}

bool IsWhole(const ResultMap& map, const MapLimits& limits) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 62;
  const std::size_t dimensions = map.extents.size();
  if (dimensions == 0 || dimensions > kMostDimensions || map.block.size() != dimensions)
    return false;
  if (!map.inner.empty() && map.inner.size() != dimensions) return false;
  std::uint64_t elements = 1;
  std::uint64_t cells = 1;
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (map.extents[i] == 0 || map.extents[i] > kMostElements / elements) return false;
    elements *= map.extents[i];
    if (map.block[i] == 0 || map.block[i] > kMostElements) return false;
    if (map.Cells(i) > MostCells(limits, dimensions, i)) return false;
    cells *= map.Cells(i);
    const bool outside = !map.inner.empty() && (map.inner[i].first > map.inner[i].last ||
                                                map.inner[i].last >= map.extents[i]);
    if (outside) return false;
  }
  return map.first_wrong < elements && map.cells.size() == cells &&
         map.cells.find_first_not_of(".ux") == std::string::npos;
}

}  // namespace warpcheck
