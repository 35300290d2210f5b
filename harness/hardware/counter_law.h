// This is the law behind the counters: what one memory access of a warp costs, as measured on an
// H200 with CUDA 13.0 (docs/counters.md). All functions are pure; the geometry comes from
// geometry.h.
//
// Global memory moves in sectors of 32 bytes. An access costs the sectors that its lanes access;
// the ideal cost is the number of sectors that its bytes would fill. Shared memory has 32 banks of
// 4 bytes. An access takes as many wavefronts as the most loaded bank has different words, in
// groups of lanes that depend on the width; the ideal cost is what its bytes would take. A student
// can avoid the cost beyond the ideal; bank_conflicts.h says how.
#pragma once

#include <cstdint>

#include "device/lanes.h"
#include "device/launch_record.h"
#include "hardware/geometry.h"

namespace warpcheck {

struct WarpAccess {
  LaneMask mask = 0;  // active lanes whose predicate is true
  const std::uint64_t* addresses =
      nullptr;              // kLanes byte addresses; those of inactive lanes are ignored
  std::uint32_t width = 0;  // bytes of each lane: 1, 2, 4, 8 or 16
};

struct GlobalCost {
  std::uint32_t sectors = 0;  // the number of distinct sectors
  std::uint32_t tags = 0;     // the number of distinct cache lines
  std::uint32_t ideal_sectors = 0;

  friend bool operator==(const GlobalCost&, const GlobalCost&) = default;
};

// The operations of lanes on shared memory. In kMatrixRows they give the addresses of rows of 16
// bytes, eight at a time. In kAtomic and kCopy, lanes with one address take turns.
using SharedAccess = AccessExample::Kind;

struct SharedCost {
  std::uint32_t wavefronts = 0;  // the number of passes through shared memory
  std::uint32_t ideal_wavefronts = 0;

  friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

// The cost of a copy from global to shared memory (cp.async), with both sides.
struct CopyCost {
  std::uint32_t sectors = 0;
  std::uint32_t ideal_sectors = 0;
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal_wavefronts = 0;
};

// Returns the cost of a load, store or atomic of global memory. The law was measured for addresses
// that are aligned to the width, because others fault. For any other addresses the function also
// returns a number, in limited time.
GlobalCost CostOfGlobal(const MemoryGeometry& geometry, const WarpAccess& access);

// Returns the passes of a load from constant memory: one for each different address that a lane
// reads, in units of the width, of at least 4 bytes.
std::uint32_t PassesOfConstant(const WarpAccess& access);

SharedCost CostOfShared(const MemoryGeometry& geometry, const WarpAccess& access,
                        SharedAccess kind);

// Returns the cost of a copy by the lanes of `from` to the addresses `to`. If `bypass` is set, the
// copy does not use the L1 cache (.cg), otherwise it does (.ca).
CopyCost CostOfCopy(const MemoryGeometry& geometry, const WarpAccess& from, const std::uint64_t* to,
                    bool bypass);

}  // namespace warpcheck
