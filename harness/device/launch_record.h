// What one kernel launch did: data.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "device/counters.h"
#include "device/finding.h"
#include "device/lanes.h"
#include "device/types.h"

namespace warpcheck {

// One access of a warp to global or shared memory, as an example of what an instruction does:
// enough to draw which lanes use which bytes of a sector, or meet in which bank, and to say what
// would keep them apart.
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
  LaneMask mask = 0;        // lanes that take part
  std::uint32_t bytes = 0;  // a lane
  // Of the lanes that take part, in bytes from the lowest of their words, of global memory from the
  // lowest of their sectors; of the others 0.
  std::array<std::uint64_t, kLanes> offsets = {};
  std::uint64_t cost = 0;  // wavefronts, or sectors
  std::uint64_t ideal = 0;
  // The __shared__ variable: where it lies in the block's shared memory, in bytes; both 0 where
  // several can be meant.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  // From its beginning to the lowest of the lanes' words, in bytes; 0 where it is not known. Never
  // different: accesses that differ in nothing else are one example.
  struct Base {
    std::uint32_t bytes = 0;
    friend constexpr bool operator==(Base, Base) { return true; }
    friend constexpr std::strong_ordering operator<=>(Base, Base) {
      return std::strong_ordering::equal;
    }
  };
  Base base{};

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

struct LineCounters {
  SourceLocation where;  // file and line of the student's source; column 0
  CounterSet counters;
  // On the emulator: the worst access of each instruction of the line, the worst first, at most
  // kMostExamples of each memory. To shared memory in a launch with bank conflicts, to global
  // memory where an access has sectors beyond its ideal. Not sent: a complaint has the one that it
  // is of.
  std::vector<AccessExample> examples{};
  static constexpr std::size_t kMostExamples = 4;
  // On the emulator: how many of the line's accesses a function of a library makes by which it
  // waits for other threads, as sync() of a grid does. Not sent.
  std::uint64_t polls = 0;

  friend bool operator==(const LineCounters&, const LineCounters&) = default;
};
WARPCHECK_FIELDS(LineCounters, where, counters);

// The worst of a line's examples that `shows`; null where none has more than its ideal.
const AccessExample* WorstExample(const LineCounters& line,
                                  bool (*shows)(const AccessExample& example));

// How long a kernel takes on real hardware: information, never graded.
struct LaunchTiming {
  double median_us = 0;  // of `runs` runs after warming up, L2 flushed before each
  double fastest_us = 0;
  std::uint32_t runs = 0;
  std::uint32_t sm_clock_mhz = 0;
  std::uint32_t memory_clock_mhz = 0;
  // What a device-to-device copy reached in the same process, read and written bytes together.
  double copy_bytes_per_second = 0;

  friend bool operator==(const LaunchTiming&, const LaunchTiming&) = default;
};
WARPCHECK_FIELDS(LaunchTiming, median_us, fastest_us, runs, sm_clock_mhz, memory_clock_mhz,
                 copy_bytes_per_second);

// What a launch needs of a multiprocessor, by the function's attributes.
struct LaunchResources {
  std::uint32_t registers = 0;      // a thread
  std::uint32_t local_bytes = 0;    // a thread: spills and local arrays
  std::uint32_t active_blocks = 0;  // a multiprocessor holds
  double occupancy = 0;             // theoretical: active warps / most warps, 0 to 1

  friend bool operator==(const LaunchResources&, const LaunchResources&) = default;
};
WARPCHECK_FIELDS(LaunchResources, registers, local_bytes, active_blocks, occupancy);

struct LaunchRecord {
  std::string kernel;  // demangled, with its parameter types
  Dim3 grid;
  Dim3 block;
  std::uint64_t shared_bytes = 0;  // static and dynamic, a block
  DeviceError error = DeviceError::kSuccess;
  CounterSet counters;
  std::vector<LineCounters> lines;  // sorted by file and line; their sum is `counters`
  std::vector<Finding> findings;    // in the order of their first occurrence
  std::string not_measured{};  // why counters are missing, and how to get them; empty where none is
  std::string unseen{};  // an access to global memory that no counter sees ("a texture object")
  std::uint64_t launches = 1;                  // that this record is the sum of
  std::optional<LaunchTiming> timing{};        // GPU only
  std::optional<LaunchResources> resources{};  // GPU only

  // Of several launches: what further lines counted goes to the line without a place.
  static constexpr std::size_t kMostLinesOfASum = 1'000;

  friend bool operator==(const LaunchRecord&, const LaunchRecord&) = default;
};
WARPCHECK_FIELDS(LaunchRecord, kernel, grid, block, shared_bytes, error, counters, lines, findings,
                 timing, resources);
WARPCHECK_FIELDS_IF_CHANGED(LaunchRecord, not_measured, unseen, launches);

// Launches as one: their counters and findings added up.

// The same kernel, grid, block and shared memory.
bool SameShape(const LaunchRecord& a, const LaunchRecord& b);

// Adds what `more` counted and found, for `times` launches like it, to `sum`, whose kernel and
// shape stay. The error is that of the first launch that had one; what is not measured on either
// side is not measured in the sum.
void AddLaunch(LaunchRecord& sum, const LaunchRecord& more, std::uint64_t times = 1);

}  // namespace warpcheck
