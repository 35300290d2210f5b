// A LaunchRecord describes one kernel launch, or several equal launches.
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

// An AccessExample is one access of a warp to global or shared memory, as an example of what an
// instruction does. A report can draw from it which lanes use which bytes of a sector or meet in
// which bank, and can say what padding would separate them.
struct AccessExample {
  enum class Memory : std::uint8_t { kGlobal, kShared };
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kReduction,   // an atomic without a result
    kAtomic,      // an atomic with a result
    kMatrixRows,  // ldmatrix and stmatrix, whose lanes hold the addresses of rows
    kCopy,        // the stores of a cp.async that goes through the L1 cache
  };
  // The most bytes of each lane, because PTX has no wider vectors.
  static constexpr std::uint32_t kMostBytes = 32;

  Memory memory = Memory::kShared;
  Kind kind = Kind::kLoad;
  LaneMask mask = 0;        // the lanes that take part
  std::uint32_t bytes = 0;  // bytes that each lane accesses
  // The offset of each lane that takes part, in bytes from the lowest of their words, or for global
  // memory from the lowest of their sectors. It is 0 for the other lanes.
  std::array<std::uint64_t, kLanes> offsets = {};
  std::uint64_t cost = 0;  // its cost in wavefronts, or in sectors
  std::uint64_t ideal = 0;
  // The position and size in bytes of the __shared__ variable in the block's shared memory. Both
  // are 0 if it is not known which variable is accessed.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  // The distance in bytes from the beginning of the variable to the lowest word of the lanes; 0 if
  // unknown. It is ignored when accesses are compared.
  struct Base {
    std::uint32_t bytes = 0;
    friend constexpr bool operator==(Base, Base) { return true; }
    friend constexpr std::strong_ordering operator<=>(Base, Base) {
      return std::strong_ordering::equal;
    }
  };
  Base base{};

  // Returns true if lanes that access one word do so one after the other.
  bool LanesTakeTurns() const { return kind == Kind::kAtomic || kind == Kind::kCopy; }
  std::uint64_t Excess() const { return cost > ideal ? cost - ideal : 0; }
  friend auto operator<=>(const AccessExample&, const AccessExample&) = default;
};

// Returns which of two examples of an instruction a report shows.
inline bool IsWorse(const AccessExample& a, const AccessExample& b) {
  return a.Excess() != b.Excess() ? a.Excess() > b.Excess() : a < b;
}

WARPCHECK_NAMES(AccessExample::Memory, "global", "shared");
WARPCHECK_NAMES(AccessExample::Kind, "load", "store", "reduction", "atomic", "matrix_rows", "copy");

WARPCHECK_FIELDS(AccessExample, memory, kind, mask, bytes, offsets, cost, ideal);
WARPCHECK_FIELDS_IF_CHANGED(AccessExample, begin, end);

struct LineCounters {
  SourceLocation where;  // the file and line of the student's source; the column is 0
  CounterSet counters;
  // The worst access of each instruction of the line, the worst first, and at most kMostExamples
  // for each memory. Only the emulator records them: for shared memory if a launch has bank
  // conflicts, and for global memory if an access has more sectors than its ideal. They are not
  // sent to other processes; a complaint contains the example that it shows.
  std::vector<AccessExample> examples{};
  static constexpr std::size_t kMostExamples = 4;
  // The number of the line's accesses that poll: a thread waits in a loop for what another one
  // writes. Only the emulator counts them, and they are not sent.
  std::uint64_t polls = 0;

  friend bool operator==(const LineCounters&, const LineCounters&) = default;
};
WARPCHECK_FIELDS(LineCounters, where, counters);

// Returns the worst of the line's examples for which `shows` is true, or null if no example costs
// more than its ideal.
const AccessExample* WorstExample(const LineCounters& line,
                                  bool (*shows)(const AccessExample& example));

// ArrayCounters has the accesses of a launch to one allocation of global memory, by line. Counters
// of other memory are 0. An access to several allocations is a request of each.
struct ArrayCounters {
  // The address at which the allocation begins. 0 stands for accesses outside of allocations, and
  // for allocations beyond the most that a launch keeps apart.
  DeviceAddress begin = 0;
  std::vector<LineCounters> lines;

  friend bool operator==(const ArrayCounters&, const ArrayCounters&) = default;
};

// The time that a kernel takes on a GPU. It is shown and never graded.
struct LaunchTiming {
  double median_us = 0;  // the median of `runs` runs after a warm-up, each with a flushed L2 cache
  double fastest_us = 0;
  std::uint32_t runs = 0;
  std::uint32_t sm_clock_mhz = 0;
  std::uint32_t memory_clock_mhz = 0;
  // The bandwidth of a copy from device to device in the same process, counting bytes read and
  // written.
  double copy_bytes_per_second = 0;

  friend bool operator==(const LaunchTiming&, const LaunchTiming&) = default;
};
WARPCHECK_FIELDS(LaunchTiming, median_us, fastest_us, runs, sm_clock_mhz, memory_clock_mhz,
                 copy_bytes_per_second);

// The resources of a multiprocessor that a launch needs, according to the attributes of the
// function.
struct LaunchResources {
  std::uint32_t registers = 0;      // the registers of each thread
  std::uint32_t local_bytes = 0;    // bytes of each thread, for spills and local arrays
  std::uint32_t active_blocks = 0;  // the number of blocks that a multiprocessor can run at once
  // Theoretical occupancy: active warps / maximal warps, from 0 to 1.
  double occupancy = 0;

  friend bool operator==(const LaunchResources&, const LaunchResources&) = default;
};
WARPCHECK_FIELDS(LaunchResources, registers, local_bytes, active_blocks, occupancy);

// LaunchNeeds says what a launch needs at least of a GPU, beside its counters. hardware/limiter.h
// compares this with what the GPU can do. Only the emulator sets it.
struct LaunchNeeds {
  int target = 0;                   // ten times the compute capability of the GPU that was emulated
  std::uint32_t active_blocks = 0;  // as in LaunchResources; an estimate if ptxas was not asked
  // 32-byte sectors of global memory that are loaded, and stored. An array counts once, however
  // often the launch reads it: no more sectors than its size. Atomics count in both.
  std::uint64_t load_sectors = 0;
  std::uint64_t store_sectors = 0;
  // Atomics update one word of global memory at least so often: the lanes that update an array,
  // divided by its words of 4 bytes, for the array with the highest quotient.
  std::uint64_t word_updates = 0;
  // The waits of all warps for loads from global memory. The loads of a basic block count as one
  // wait, unless the address of one depends on the value of another.
  std::uint64_t load_waits = 0;

  friend bool operator==(const LaunchNeeds&, const LaunchNeeds&) = default;
};
WARPCHECK_FIELDS(LaunchNeeds, target, active_blocks, load_sectors, store_sectors, word_updates,
                 load_waits);

// LaunchUse says how busy a GPU was during one launch. Each value is a share from 0 to 1; nullopt
// if the GPU does not tell it. The share of a unit is that of its peak rate, on average over the
// launch. gpu/cupti/use_meter.cc has CUPTI's metrics.
struct LaunchUse {
  std::optional<double> memory{};      // of the memory's bandwidth
  std::optional<double> l2{};          // of the busiest unit of the L2 cache
  std::optional<double> atomics{};     // of the atomic unit of the busiest slice of the L2 cache
  std::optional<double> l1{};          // of the busiest unit of the L1 cache
  std::optional<double> shared{};      // of the wavefronts of shared memory
  std::optional<double> constant{};    // of the cache of constant memory that lanes index
  std::optional<double> issue{};       // of the instructions that the schedulers can issue
  std::optional<double> arithmetic{};  // of the busiest unit of the multiprocessors
  std::optional<double> occupancy{};  // of the warps that a multiprocessor can hold, while it works
  // The share of the launch in which a multiprocessor has a warp.
  std::optional<double> multiprocessors{};
  std::optional<double> load_waits{};  // of the time of all warps, that they wait for loads
  std::optional<double>
      with_block{};  // of the multiprocessors, those that the grid has a block for

  friend bool operator==(const LaunchUse&, const LaunchUse&) = default;
};
WARPCHECK_FIELDS(LaunchUse, memory, l2, atomics, l1, shared, constant, issue, arithmetic, occupancy,
                 multiprocessors, load_waits, with_block);

struct LaunchRecord {
  std::string kernel;  // the demangled name, with its parameter types
  Dim3 grid;
  Dim3 block;
  std::uint64_t shared_bytes = 0;  // static and dynamic shared memory of each block
  DeviceError error = DeviceError::kSuccess;
  CounterSet counters;
  // Sorted by file and line; the sum of their counters is `counters`, except for
  // busiest_block_bytes and shared_bytes_taken, which belong to no line.
  std::vector<LineCounters> lines;
  std::vector<Finding> findings;  // findings in the order of their first occurrence
  // The accesses to global memory by allocation, sorted by address; nullopt if the device does not
  // count them apart. They are not sent to other processes.
  std::optional<std::vector<ArrayCounters>> arrays{};
  // The reason why counters are missing and how to get them; otherwise empty.
  std::string not_measured{};
  // A kind of access to global memory that no counter sees ("a texture object").
  std::string unseen{};
  std::uint64_t launches = 1;                  // the number of launches that this record sums up
  std::optional<LaunchTiming> timing{};        // set only by a GPU
  std::optional<LaunchResources> resources{};  // set only by a GPU
  std::optional<LaunchNeeds> needs{};          // set only by the emulator
  std::optional<LaunchUse> use{};              // set only by a GPU that was asked for it

  // The most allocations that a record keeps apart.
  static constexpr std::size_t kMostArrays = 64;
  // The most lines that a record of several launches keeps. The counters of further lines are added
  // up in a line without a place.
  static constexpr std::size_t kMostLinesOfASum = 1'000;

  friend bool operator==(const LaunchRecord&, const LaunchRecord&) = default;
};
WARPCHECK_FIELDS(LaunchRecord, kernel, grid, block, shared_bytes, error, counters, lines, findings,
                 timing, resources);
WARPCHECK_FIELDS_IF_CHANGED(LaunchRecord, not_measured, unseen, launches, needs, use);

// Returns the warps of all launches that the record sums up.
std::uint64_t WarpsOf(const LaunchRecord& launch);

// Returns true if both records have the same kernel, grid, block and shared memory.
bool SameShape(const LaunchRecord& a, const LaunchRecord& b);

// Adds the counters, the needs and the findings of `times` launches like `more` to `sum`, which
// keeps its kernel and shape. The sum has the error of the first launch that had one. A counter
// that one side lacks is also missing from the sum, and so are the needs.
void AddLaunch(LaunchRecord& sum, const LaunchRecord& more, std::uint64_t times = 1);

}  // namespace warpcheck
