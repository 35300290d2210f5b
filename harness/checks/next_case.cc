#include "checks/next_case.h"

#include <algorithm>
#include <vector>

namespace warpcheck {

std::optional<std::size_t> NextCase(std::span<const std::uint64_t> costs, std::size_t own,
                                    Random& random) {
  if (costs.empty()) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(costs);
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (i != own && (costs[i] == least || costs[i] <= most / 4)) others.push_back(i);
  }
  if (others.empty()) return std::nullopt;
  const auto cost_of = [&](std::size_t i) { return costs[i]; };
  const auto first = static_cast<std::size_t>(std::ranges::find(costs, least) - costs.begin());
  if (own == first) {
    const std::uint64_t dearest = costs[std::ranges::max(others, {}, cost_of)];
    std::erase_if(others, [&](std::size_t i) { return costs[i] != dearest; });
  }
  const int last = static_cast<int>(others.size()) - 1;
  return others[static_cast<std::size_t>(random.Ints(1, 0, last)[0])];
}

}  // namespace warpcheck
