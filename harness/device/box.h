// Boxes of bytes: what one copy or fill in 2D or 3D is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/types.h"

namespace warpcheck {

struct Extent3 {
  std::uint64_t width = 0;   // bytes of a row
  std::uint64_t height = 1;  // rows of a slice
  std::uint64_t depth = 1;   // slices

  bool Empty() const { return width == 0 || height == 0 || depth == 0; }
  // Of a box that SpanOf accepts: no more than its span, so that it does not overflow.
  std::uint64_t Bytes() const { return width * height * depth; }

  friend bool operator==(const Extent3&, const Extent3&) = default;
};
WARPCHECK_FIELDS(Extent3, width, height, depth);

// Bytes from each row to the next, and from each slice.
struct Strides {
  std::uint64_t pitch = 0;
  std::uint64_t slice = 0;

  std::uint64_t Offset(std::uint64_t y, std::uint64_t z) const { return y * pitch + z * slice; }

  friend bool operator==(const Strides&, const Strides&) = default;
};
WARPCHECK_FIELDS(Strides, pitch, slice);

// Where a box lies in device memory.
struct DeviceBox {
  DeviceAddress address = 0;
  Strides strides{};

  friend bool operator==(const DeviceBox&, const DeviceBox&) = default;
};
WARPCHECK_FIELDS(DeviceBox, address, strides);

// Bytes from the first byte of a box to the end of its last; nullopt where that overflows, or where
// rows or slices overlap. 0 for an empty box.
std::optional<std::uint64_t> SpanOf(const Strides& strides, const Extent3& extent);

// Of rows that follow each other without a gap.
Strides Packed(const Extent3& extent);

// The same bytes as a single row where no rows of either box have gaps between them, else `extent`.
Extent3 Joined(const Extent3& extent, const Strides& a, const Strides& b);
inline Extent3 Joined(const Extent3& extent, const Strides& box) {
  return Joined(extent, box, box);
}

// Calls row(y, z) for every row of a box, the slices one after the other.
template <class Row>
void ForEachRow(const Extent3& extent, Row row) {
  for (std::uint64_t z = 0; z < extent.depth; ++z) {
    for (std::uint64_t y = 0; y < extent.height; ++y) row(y, z);
  }
}

// Moves a box that both SpanOf accept; where the two overlap, as if by way of a third place.
void MoveBox(std::byte* to, const Strides& to_strides, const std::byte* from,
             const Strides& from_strides, const Extent3& extent);
void FillBox(std::byte* to, const Strides& strides, const Extent3& extent, std::byte value);

}  // namespace warpcheck
