// These types describe boxes of bytes in two or three dimensions, which one copy or fill moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/types.h"

namespace warpcheck {

struct Extent3 {
  std::uint64_t width = 0;   // bytes of each row
  std::uint64_t height = 1;  // rows of each slice
  std::uint64_t depth = 1;   // slices

  bool Empty() const { return width == 0 || height == 0 || depth == 0; }
  // Returns the bytes of all rows. This does not overflow for a box that SpanOf accepts.
  std::uint64_t Bytes() const { return width * height * depth; }

  friend bool operator==(const Extent3&, const Extent3&) = default;
};
WARPCHECK_FIELDS(Extent3, width, height, depth);

// Strides are the distances in bytes from each row to the next, and from each slice to the next.
struct Strides {
  std::uint64_t pitch = 0;
  std::uint64_t slice = 0;

  std::uint64_t Offset(std::uint64_t y, std::uint64_t z) const { return y * pitch + z * slice; }

  friend bool operator==(const Strides&, const Strides&) = default;
};
WARPCHECK_FIELDS(Strides, pitch, slice);

// The place of a box in device memory.
struct DeviceBox {
  DeviceAddress address = 0;
  Strides strides{};

  friend bool operator==(const DeviceBox&, const DeviceBox&) = default;
};
WARPCHECK_FIELDS(DeviceBox, address, strides);

// Returns the number of bytes from the first byte of a box to the end of its last row; 0 for an
// empty box. Returns nothing if that number overflows, or if rows or slices overlap.
std::optional<std::uint64_t> SpanOf(const Strides& strides, const Extent3& extent);

// Returns the pitches of rows that follow each other without a gap.
Strides Packed(const Extent3& extent);

// Returns the extent of the same bytes as a single row if neither box has gaps between its rows;
// otherwise returns `extent`.
Extent3 Joined(const Extent3& extent, const Strides& a, const Strides& b);
inline Extent3 Joined(const Extent3& extent, const Strides& box) {
  return Joined(extent, box, box);
}

// Calls row(y, z) for every row of a box, slice after slice.
template <class Row>
void ForEachRow(const Extent3& extent, Row row) {
  for (std::uint64_t z = 0; z < extent.depth; ++z) {
    for (std::uint64_t y = 0; y < extent.height; ++y) row(y, z);
  }
}

// Copies a box; SpanOf must accept both sides. If they overlap, the result is as if the bytes had
// been copied to a temporary place first.
void MoveBox(std::byte* to, const Strides& to_strides, const std::byte* from,
             const Strides& from_strides, const Extent3& extent);
void FillBox(std::byte* to, const Strides& strides, const Extent3& extent, std::byte value);

}  // namespace warpcheck
