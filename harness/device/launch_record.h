// What one kernel launch did: data.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/counters.h"
#include "device/device_error.h"
#include "device/finding.h"
#include "device/types.h"

namespace warpcheck {

// One access of a warp to shared memory, as an example of what an instruction does: enough to say
// which lanes meet in which bank, and what would keep them apart.

struct SharedExample {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kReduction,   // an atomic that gives no result
    kAtomic,      // one that does
    kMatrixRows,  // ldmatrix, stmatrix: lanes give the addresses of rows
  };

  Kind kind = Kind::kLoad;
  std::uint32_t mask = 0;   // lanes that take part
  std::uint32_t bytes = 0;  // a lane
  // Of the lanes that take part, in bytes from the lowest of their words; of the others 0.
  std::array<std::uint32_t, 32> offsets = {};
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;
  // The __shared__ variable: where it lies in the block's shared memory, in bytes; both 0 where
  // several can be meant.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t Excess() const { return wavefronts - ideal; }
  friend auto operator<=>(const SharedExample&, const SharedExample&) = default;
};

// Which of two examples of an instruction to show.
inline bool IsWorse(const SharedExample& a, const SharedExample& b) {
  return a.Excess() != b.Excess() ? a.Excess() > b.Excess() : a < b;
}

struct LineCounters {
  SourceLocation where;  // file and line of the student's source; column 0
  CounterSet counters;
  // Of a launch with bank conflicts, on the emulator: the worst access of each instruction of the
  // line, the worst first, kMostExamples at most.
  std::vector<SharedExample> examples{};
  static constexpr std::size_t kMostExamples = 4;

  friend bool operator==(const LineCounters&, const LineCounters&) = default;
};

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

// What a launch needs of a multiprocessor, by the function's attributes.
struct LaunchResources {
  std::uint32_t registers = 0;      // a thread
  std::uint32_t local_bytes = 0;    // a thread: spills and local arrays
  std::uint32_t active_blocks = 0;  // a multiprocessor holds
  double occupancy = 0;             // theoretical: active warps / most warps, 0 to 1

  friend bool operator==(const LaunchResources&, const LaunchResources&) = default;
};

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

  friend bool operator==(const LaunchRecord&, const LaunchRecord&) = default;
};

// Launches as one: their counters and findings added up.

// The same kernel, grid, block and shared memory.
bool SameShape(const LaunchRecord& a, const LaunchRecord& b);

// Adds what `more` counted and found, for `times` launches like it, to `sum`, whose kernel and
// shape stay. The error is that of the first launch that had one; what is not measured on either
// side is not measured in the sum.
void AddLaunch(LaunchRecord& sum, const LaunchRecord& more, std::uint64_t times = 1);

}  // namespace warpcheck
