// One access of a warp to global or shared memory, as an example of what an instruction does:
// enough to draw which lanes use which bytes of a sector, or meet in which bank, and to say what
// would keep them apart.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "base/record.h"

namespace warpcheck {

struct AccessExample {
  enum class Memory : std::uint8_t { kGlobal, kShared };
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kReduction,   // an atomic that gives no result
    kAtomic,      // one that does
    kMatrixRows,  // ldmatrix, stmatrix: lanes give the addresses of rows
  };
  static constexpr std::uint32_t kMostBytes = 32;  // of a lane: PTX has no wider vectors

  Memory memory = Memory::kShared;
  Kind kind = Kind::kLoad;
  std::uint32_t mask = 0;   // lanes that take part
  std::uint32_t bytes = 0;  // a lane
  // Of the lanes that take part, in bytes from the lowest of their words, of global memory from the
  // lowest of their sectors; of the others 0.
  std::array<std::uint64_t, 32> offsets = {};
  std::uint64_t cost = 0;  // wavefronts, or sectors
  std::uint64_t ideal = 0;
  // The __shared__ variable: where it lies in the block's shared memory, in bytes; both 0 where
  // several can be meant.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint64_t Excess() const { return cost > ideal ? cost - ideal : 0; }
  friend auto operator<=>(const AccessExample&, const AccessExample&) = default;
};

// Which of two examples of an instruction to show.
inline bool IsWorse(const AccessExample& a, const AccessExample& b) {
  return a.Excess() != b.Excess() ? a.Excess() > b.Excess() : a < b;
}

WARPCHECK_NAMES(AccessExample::Memory, "global", "shared");
WARPCHECK_NAMES(AccessExample::Kind, "load", "store", "reduction", "atomic", "matrix_rows");

WARPCHECK_FIELDS(AccessExample, memory, kind, mask, bytes, offsets, cost, ideal);
WARPCHECK_FIELDS_IF_CHANGED(AccessExample, begin, end);

}  // namespace warpcheck
