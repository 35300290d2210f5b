#include "gpu/red_zone.h"

namespace warpcheck::gpu {

std::byte RedZoneByte(DeviceAddress address) {
  if (address % 4 != 0) return std::byte{0xFF};
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;  // 2^64 / the golden ratio
  constexpr unsigned kLowest = 0x81;  // the top bit makes a bfloat16 NaN; 0xFF would be plain -1
  constexpr unsigned kValues = 0xFE - kLowest + 1;
  return static_cast<std::byte>(kLowest + ((address / 4 * kMix) >> 40) % kValues);
}

std::vector<std::byte> RedZone(DeviceAddress begin, std::uint64_t bytes) {
  std::vector<std::byte> zone(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) zone[i] = RedZoneByte(begin + i);
  return zone;
}

std::optional<Damage> FindDamage(DeviceAddress begin, std::span<const std::byte> zone) {
  Damage damage;
  for (std::uint64_t i = 0; i < zone.size(); ++i) {
    if (zone[i] == RedZoneByte(begin + i)) continue;
    if (damage.changed == 0) damage.first = i;
    damage.last = i;
    ++damage.changed;
  }
  if (damage.changed == 0) return std::nullopt;
  return damage;
}

}  // namespace warpcheck::gpu
