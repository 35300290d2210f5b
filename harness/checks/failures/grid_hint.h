// Says that a grid has too few threads, where exactly the elements beyond its threads were never
// written.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "trial/array.h"

namespace warpcheck {

struct GridHint {
  // Such as "18 blocks of 256 threads are 4,608 threads for 4,712 elements".
  std::string message;
  std::string hint;
  SourceLocation where;  // the line of the launch, if it is known
};

// Returns what is wrong with the first of the grids that has a thread, or the same number of
// threads, for each element that was written, and none for each of `unwritten`, which are sorted.
// Returns nullopt if there is no such grid.
std::optional<GridHint> GridTooSmall(const std::vector<LaunchedGrid>& grids, const Extents& extents,
                                     const std::vector<std::size_t>& unwritten);

}  // namespace warpcheck
