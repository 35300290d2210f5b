// What the bytes around an allocation hold, so that a kernel's write there is seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "device/types.h"

namespace warpcheck::gpu {

// The byte of a red zone at `address`. Each aligned word is a NaN of its own, for float, double,
// half and bfloat16, and a small negative integer: a read there shows in the result, and a value
// that was read there differs from what it is written over.
std::byte RedZoneByte(DeviceAddress address);

std::vector<std::byte> RedZone(DeviceAddress begin, std::uint64_t bytes);

// The bytes of a red zone that a kernel changed.
struct Damage {
  std::uint64_t first = 0;    // offset in the zone
  std::uint64_t last = 0;     // likewise, of the last changed byte
  std::uint64_t changed = 0;  // bytes, between them

  friend bool operator==(const Damage&, const Damage&) = default;
};

// nullopt where `zone`, read from `begin`, is as it was made.
std::optional<Damage> FindDamage(DeviceAddress begin, std::span<const std::byte> zone);

}  // namespace warpcheck::gpu
