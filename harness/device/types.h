// Small types that every device, and everything above one, speaks in.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace warpcheck {

// An address in a device's own 64-bit space. Never a pointer into this process.
using DeviceAddress = std::uint64_t;

// Extent or position in up to three dimensions; x is fastest.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  // x * y * z; does not overflow for any legal grid (x < 2^31, y and z < 2^16).
  constexpr std::uint64_t Count() const { return std::uint64_t{x} * y * z; }

  friend auto operator<=>(const Dim3&, const Dim3&) = default;
};

// Extents and positions as people read them.

// "256", "32x8" or "32x8x2": without the last dimensions where they are 1.
std::string ExtentText(const Dim3& extent);

// "(1, 0, 3)".
std::string PositionText(const Dim3& at);

}  // namespace warpcheck
