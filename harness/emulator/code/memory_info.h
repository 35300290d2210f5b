// What a memory instruction does.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/shared_variables.h"
#include "emulator/code/step.h"
#include "ptx/types.h"

namespace warpcheck::emulator {

// What an access orders (PTX ISA, "Memory Consistency Model"). Atomics are at least relaxed.
enum class MemoryOrder : std::uint8_t {
  kWeak,
  kVolatile,
  kRelaxed,
  kAcquire,
  kRelease,
  kAcquireRelease,
};

// The threads for which an order holds.
enum class MemoryScope : std::uint8_t { kBlock, kDevice, kSystem };

// How an access enters the counters (docs/counters.md).
enum class Counting : std::uint8_t {
  kAccess,      // as loads, stores and atomics of 32 lanes
  kMatrixRows,  // ldmatrix, stmatrix: rows of 16 bytes, eight to a wavefront
  kCopy,        // cp.async, which counts its two sides together (instructions/async.cc)
  kTexture,     // tex, suld, sust: where the texels' addresses are known (access/texture_access.h)
  kBarrier,     // mbarrier: 8 bytes a lane, where lanes name several or give numbers
  kNothing,     // cp.async.bulk: another unit of the GPU does it
};

// A side of an asynchronous copy: an access that lasts until somebody has waited for the copy.
enum class AsyncCopy : std::uint8_t {
  kNone,
  kByLane,        // cp.async: each lane waits for its own copies, or lets an mbarrier say it
  kBulkToShared,  // cp.async.bulk: an mbarrier says when it is done
  kBulkToGlobal,  // cp.async.bulk: the lane that made it waits
};

// What a memory instruction does; one entry each, which Step::memory names.
struct MemoryInfo {
  enum class Kind : std::uint8_t { kLoad, kStore, kAtomic, kReduction };
  Kind kind = Kind::kLoad;
  MemoryOrder order = MemoryOrder::kWeak;
  MemoryScope scope = MemoryScope::kDevice;
  Counting counting = Counting::kAccess;
  AsyncCopy copy = AsyncCopy::kNone;
  bool mbarrier = false;  // the access is to one, which the observers hear of by itself
  // An atomic with or without a result, whose lanes wait for each other where they have one address
  // in shared memory.
  bool takes_turns = false;
  ptx::Space space = ptx::Space::kGeneric;
  std::uint32_t instruction = 0;    // index in the function
  std::uint32_t bytes = 0;          // a lane, all elements together
  std::uint32_t address_bytes = 8;  // of the address register: 4 or 8
  // Where an access to shared memory belongs: to the variables that its address was made from.
  SharedRange shared = {};
  // Of loads and stores: registers of the elements of a vector, and their width. No elements:
  // values that lie in no registers (cp.async).
  std::array<Slot, 8> values = {};
  std::uint32_t elements = 0;
  std::uint32_t register_bytes = 0;
};

}  // namespace warpcheck::emulator
