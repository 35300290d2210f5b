// What one memory access of a warp costs: the law behind the counters, as measured on an H200 with
// CUDA 13.0 (docs/counters.md). Pure functions of the access; the geometry comes from geometry.h.
//
// Global memory moves in sectors of 32 bytes: an access costs the sectors that its lanes touch, and
// ideally those that its bytes would fill. Shared memory has 32 banks of 4 bytes: an access takes
// as many wavefronts as the most loaded bank has different words, in groups of lanes that depend on
// the width, and ideally what its bytes would take. What goes beyond the ideal is what a student
// can mend; bank_conflicts.h says how.
#pragma once

#include <cstdint>

#include "device/lanes.h"
#include "device/launch_record.h"
#include "hardware/geometry.h"

namespace warpcheck {

struct WarpAccess {
  LaneMask mask = 0;                         // active lanes whose predicate is on
  const std::uint64_t* addresses = nullptr;  // kLanes byte addresses; inactive ones are ignored
  std::uint32_t width = 0;                   // bytes a lane: 1, 2, 4, 8 or 16
};

struct GlobalCost {
  std::uint32_t sectors = 0;  // distinct sectors touched
  std::uint32_t tags = 0;     // distinct cache lines touched
  std::uint32_t ideal_sectors = 0;

  friend bool operator==(const GlobalCost&, const GlobalCost&) = default;
};

// What lanes do to shared memory. kMatrixRows: they give the addresses of rows of 16 bytes, eight
// at a time.
using SharedAccess = AccessExample::Kind;

struct SharedCost {
  std::uint32_t wavefronts = 0;  // passes through shared memory
  std::uint32_t ideal_wavefronts = 0;

  friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

// A copy from global to shared memory (cp.async): what both sides cost together.
struct CopyCost {
  std::uint32_t sectors = 0;
  std::uint32_t ideal_sectors = 0;
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal_wavefronts = 0;
};

// Addresses are wanted aligned to the width (the law was measured on such; misaligned accesses
// fault). Any addresses give an answer, in bounded time. Global memory: loads, stores and atomics.
GlobalCost CostOfGlobal(const MemoryGeometry& geometry, const WarpAccess& access);

SharedCost CostOfShared(const MemoryGeometry& geometry, const WarpAccess& access,
                        SharedAccess kind);

// `bypass`: past the L1 cache (.cg), else through it (.ca). The lanes are those of `from`.
CopyCost CostOfCopy(const MemoryGeometry& geometry, const WarpAccess& from, const std::uint64_t* to,
                    bool bypass);

}  // namespace warpcheck
