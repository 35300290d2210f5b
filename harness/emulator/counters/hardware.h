// Facts about GPUs, one row a compute capability: what the counters' law and the launch checks are
// parameterised by. Nothing else in the emulator knows a number of the hardware.
#pragma once

#include <cstdint>

#include "device/types.h"

namespace warpcheck::emulator {

// Lanes of a warp: fixed by the PTX ISA (WARP_SZ) on every GPU so far, and by the type of a mask.
inline constexpr int kWarpLanes = 32;

// How one warp access is cut up. All values are powers of two.
struct MemoryGeometry {
  std::uint32_t sector_bytes = 0;  // of global and local memory: what coalescing counts
  std::uint32_t line_bytes = 0;    // of the L1 cache: one tag each
  std::uint32_t shared_banks = 0;
  std::uint32_t shared_bank_bytes = 0;

  // Bytes that shared memory can deliver in one pass.
  constexpr std::uint32_t wavefront_bytes() const { return shared_banks * shared_bank_bytes; }

  friend bool operator==(const MemoryGeometry&, const MemoryGeometry&) = default;
};

struct Hardware {
  DeviceProperties properties;
  MemoryGeometry memory;
};

// The row of compute capability major.minor; nullptr where there is none.
const Hardware* HardwareFor(int major, int minor);

// What the emulator is unless told otherwise: compute capability 9.0.
const Hardware& DefaultHardware();

}  // namespace warpcheck::emulator
