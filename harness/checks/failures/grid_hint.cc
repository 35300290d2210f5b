#include "checks/failures/grid_hint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace warpcheck {
namespace {

constexpr std::uint64_t kMostEach = 16;  // elements that a thread makes, at most

// Returns the first index from which on all elements, and no others, are unwritten; 0 if there is
// no such index.
std::uint64_t BeginOfTail(std::size_t elements, const std::vector<std::size_t>& unwritten) {
  const bool tail = !unwritten.empty() && unwritten.back() + 1 == elements &&
                    unwritten.back() - unwritten.front() + 1 == unwritten.size();
  return tail ? unwritten.front() : 0;
}

std::optional<std::string> LinearText(const LaunchedGrid& launch, std::size_t elements,
                                      const std::vector<std::size_t>& unwritten) {
  const std::uint64_t threads = launch.grid.Count() * launch.block.Count();
  const std::uint64_t begin = BeginOfTail(elements, unwritten);
  if (begin == 0 || threads == 0 || begin % threads != 0) return std::nullopt;
  const std::uint64_t each = begin / threads;
  // Rounding down leaves out less than a block.
  if (each > kMostEach || elements - begin >= each * launch.block.Count()) return std::nullopt;
  return fmt::format("{} of {} {} {}{} for {}", Counted(launch.grid.Count(), "block"),
                     Counted(launch.block.Count(), "thread"),
                     launch.grid.Count() == 1 ? "is" : "are", Counted(threads, "thread"),
                     each == 1 ? "" : fmt::format(", with {} elements each,", each),
                     Counted(elements, "element"));
}

// Returns whether this many threads in blocks of `block` are those of a number of blocks that was
// rounded, up or down.
bool IsRounded(std::uint64_t threads, std::uint64_t block, std::uint64_t elements) {
  return threads > elements ? threads - elements < block : elements - threads < block;
}

// `across` and `down` are the numbers of threads along the columns and the rows.
bool CoversAllBut(const Extents& extents, std::uint64_t across, std::uint64_t down,
                  const std::vector<std::size_t>& unwritten) {
  const std::uint64_t rows = extents[0];
  const std::uint64_t columns = extents[1];
  const std::uint64_t covered = std::min(rows, down) * std::min(columns, across);
  if (covered == 0 || rows * columns - covered != unwritten.size()) return false;
  return std::ranges::all_of(unwritten, [&](std::size_t index) {
    return index % columns >= across || index / columns >= down;
  });
}

std::optional<std::string> PlaneText(const LaunchedGrid& launch, const Extents& extents,
                                     const std::vector<std::size_t>& unwritten) {
  if (extents.size() != 2 || launch.grid.z * launch.block.z != 1) return std::nullopt;
  const std::uint64_t x = std::uint64_t{launch.grid.x} * launch.block.x;
  const std::uint64_t y = std::uint64_t{launch.grid.y} * launch.block.y;
  if (x * y >= ElementsOf(extents)) return std::nullopt;  // then a guard may be wrong instead
  const bool along = IsRounded(x, launch.block.x, extents[1]) &&
                     IsRounded(y, launch.block.y, extents[0]) &&
                     CoversAllBut(extents, x, y, unwritten);
  const bool across = !along && IsRounded(x, launch.block.x, extents[0]) &&
                      IsRounded(y, launch.block.y, extents[1]) &&
                      CoversAllBut(extents, y, x, unwritten);
  if (!along && !across) return std::nullopt;
  return fmt::format(
      "{}x{} blocks of {}x{} threads are {} x {} threads, and there are {} x {} "
      "elements (columns x rows)",
      launch.grid.x, launch.grid.y, launch.block.x, launch.block.y, Grouped(along ? x : y),
      Grouped(along ? y : x), Grouped(extents[1]), Grouped(extents[0]));
}

}  // namespace

std::optional<GridHint> GridTooSmall(const std::vector<LaunchedGrid>& grids, const Extents& extents,
                                     const std::vector<std::size_t>& unwritten) {
  if (unwritten.empty()) return std::nullopt;
  for (const LaunchedGrid& launch : grids) {
    auto text = LinearText(launch, ElementsOf(extents), unwritten);
    if (!text) text = PlaneText(launch, extents, unwritten);
    if (!text) continue;
    return GridHint{
        .message = std::move(*text),
        .hint =
            "round the number of blocks up, in each dimension: (n + block - 1) / block blocks "
            "have a thread for each of n elements. Then guard the access, because the last block "
            "has threads beyond the end",
        .where = launch.where};
  }
  return std::nullopt;
}

}  // namespace warpcheck
