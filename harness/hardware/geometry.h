// This file defines the units in which a GPU moves memory. They are the same on every GPU since
// compute capability 5.0 (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory" and
// "Shared Memory and Memory Banks"), and as measured on an H200 (docs/counters.md).
#pragma once

#include <cstdint>

namespace warpcheck {

// A sector is the smallest unit that global and local memory move.
inline constexpr std::uint32_t kSectorBytes = 32;
// A line of the L1 cache has one tag.
inline constexpr std::uint32_t kCacheLineBytes = 128;
// Word i of shared memory lies in bank i % kSharedBanks. In one pass each bank delivers one word.
inline constexpr std::uint32_t kSharedBanks = 32;
inline constexpr std::uint32_t kBankBytes = 4;

// These units as parameters of the law (counter_law.h), for a GPU that has other units. All values
// must be powers of two. Sectors and banks must not exceed the constants above, which are sizes of
// arrays in the law and in MemorySite of the emulator.
struct MemoryGeometry {
  std::uint32_t sector_bytes = kSectorBytes;
  std::uint32_t line_bytes = kCacheLineBytes;
  std::uint32_t shared_banks = kSharedBanks;
  std::uint32_t shared_bank_bytes = kBankBytes;

  // Returns how many bytes shared memory can deliver in one pass.
  constexpr std::uint32_t wavefront_bytes() const { return shared_banks * shared_bank_bytes; }

  friend bool operator==(const MemoryGeometry&, const MemoryGeometry&) = default;
};

}  // namespace warpcheck
