#include "device/box.h"

#include <cstring>
#include <vector>

namespace warpcheck {
namespace {

// Returns whether `count` ranges of `bytes` bytes do not overlap, and sets `end` to the end of the
// last range.
bool Apart(std::uint64_t count, std::uint64_t bytes, std::uint64_t stride, std::uint64_t* end) {
  if (count == 1) return *end = bytes, true;
  return stride >= bytes && !__builtin_mul_overflow(count - 1, stride, end) &&
         !__builtin_add_overflow(*end, bytes, end);
}

bool Overlap(const std::byte* a, const std::byte* b, std::uint64_t a_bytes, std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

void MoveRows(std::byte* to, const Strides& to_strides, const std::byte* from,
              const Strides& from_strides, const Extent3& extent) {
  ForEachRow(extent, [&](std::uint64_t y, std::uint64_t z) {
    std::memmove(to + to_strides.Offset(y, z), from + from_strides.Offset(y, z), extent.width);
  });
}

}  // namespace

std::optional<std::uint64_t> SpanOf(const Strides& strides, const Extent3& extent) {
  if (extent.Empty()) return 0;
  std::uint64_t slice = 0;
  std::uint64_t box = 0;
  const bool fits = Apart(extent.height, extent.width, strides.pitch, &slice) &&
                    Apart(extent.depth, slice, strides.slice, &box);
  return fits ? std::optional(box) : std::nullopt;
}

Strides Packed(const Extent3& extent) {
  return {.pitch = extent.width, .slice = extent.width * extent.height};
}

Extent3 Joined(const Extent3& extent, const Strides& a, const Strides& b) {
  const Strides packed = Packed(extent);
  const auto has_no_gaps = [&](const Strides& box) {
    return (extent.height == 1 || box.pitch == packed.pitch) &&
           (extent.depth == 1 || box.slice == packed.slice);
  };
  return has_no_gaps(a) && has_no_gaps(b) ? Extent3{.width = extent.Bytes()} : extent;
}

void MoveBox(std::byte* to, const Strides& to_strides, const std::byte* from,
             const Strides& from_strides, const Extent3& extent) {
  const Extent3 rows = Joined(extent, to_strides, from_strides);
  const bool one_row = rows.height == 1 && rows.depth == 1;
  if (one_row || !Overlap(to, from, *SpanOf(to_strides, extent), *SpanOf(from_strides, extent))) {
    return MoveRows(to, to_strides, from, from_strides, rows);
  }
  std::vector<std::byte> between(extent.Bytes());
  MoveRows(between.data(), Packed(extent), from, from_strides, extent);
  MoveRows(to, to_strides, between.data(), Packed(extent), extent);
}

void FillBox(std::byte* to, const Strides& strides, const Extent3& extent, std::byte value) {
  const Extent3 rows = Joined(extent, strides);
  ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
    std::memset(to + strides.Offset(y, z), std::to_integer<int>(value), rows.width);
  });
}

}  // namespace warpcheck
