// MemoryInfo describes a memory instruction: its kind, ordering and width, and how it is counted.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/shared_variables.h"
#include "emulator/code/step.h"
#include "ptx/types.h"

namespace warpcheck::emulator {

// The ordering that an access has (PTX ISA, "Memory Consistency Model"). Atomics are at least
// relaxed.
enum class MemoryOrder : std::uint8_t {
  kWeak,
  kVolatile,
  kRelaxed,
  kAcquire,
  kRelease,
  kAcquireRelease,
};

// The set of threads for which an ordering is guaranteed.
enum class MemoryScope : std::uint8_t { kBlock, kDevice, kSystem };

// Says how an access is counted (docs/counters.md). Whatever gives a lane a value that lay in
// memory, or stores one, is counted. A memory is counted by its own Tally (TallyOf). The first two
// are counted where the access is carried out, with the memory that it really reached; the others,
// whose instruction is more than one access, where the whole instruction is carried out.
enum class Counting : std::uint8_t {
  kAccess,      // counted as a load, store or atomic of 32 lanes
  kMatrixRows,  // ldmatrix and stmatrix: rows of 16 bytes, eight rows in each wavefront
  kCopy,        // cp.async, whose two sides are counted together (instructions/async.cc)
  kTexture,     // tex, tld4, suld and sust (access/texture_access.h)
  kQuery,       // txq and suq (access/texture_access.h)
  kBarrier,     // mbarrier (instructions/mbarrier.cc)
  kBulk,        // cp.async.bulk, which another unit of the GPU executes (instructions/async.cc)
  kHint,  // prefetch and other hints about caches, which move no value (instructions/memory.cc)
  // A kernel parameter at an address that the compiler knows. All lanes get the same value, which a
  // GPU has as an operand of another instruction. Only this is not counted.
  kOperand,
};

// The kind of the asynchronous copy to which this access belongs. The access lasts until a thread
// has waited for the copy.
enum class AsyncCopy : std::uint8_t {
  kNone,
  kByLane,        // cp.async: each lane waits for its own copies, or an mbarrier waits for them
  kBulkToShared,  // cp.async.bulk: an mbarrier says when the copy is complete
  kBulkToGlobal,  // cp.async.bulk: the lane that started the copy waits for it
};

// The description of a memory instruction. Step::memory is its index in Program::memory.
struct MemoryInfo {
  enum class Kind : std::uint8_t { kLoad, kStore, kAtomic, kReduction };
  Kind kind = Kind::kLoad;
  MemoryOrder order = MemoryOrder::kWeak;
  MemoryScope scope = MemoryScope::kDevice;
  Counting counting = Counting::kAccess;
  AsyncCopy copy = AsyncCopy::kNone;
  bool mbarrier = false;  // accesses an mbarrier; observers get events of their own for it
  // True for atomics and copies whose lanes take turns if they have one address in shared memory.
  bool takes_turns = false;
  ptx::Space space = ptx::Space::kGeneric;
  std::uint32_t instruction = 0;    // the index of the instruction in the function
  std::uint32_t bytes = 0;          // the bytes of each lane, with all elements
  std::uint32_t address_bytes = 8;  // the width of the address register: 4 or 8
  // The shared variables from which the address was made. The access must stay in them.
  SharedRange shared = {};
  // For loads and stores, the registers of a vector's elements, and their width. `elements` is 0 if
  // the values are not in registers (cp.async).
  std::array<Slot, 8> values = {};
  std::uint32_t elements = 0;
  std::uint32_t register_bytes = 0;
};

}  // namespace warpcheck::emulator
