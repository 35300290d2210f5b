// Finds the memory that an address belongs to.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// A range of memory in which one test allows an access.
struct Region {
  enum class What : std::uint8_t { kNone, kHeap, kConstant, kShared, kLocal, kParam };
  What what = What::kNone;
  // The address of the first byte, in the state space of the instruction.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;      // the address after the last byte
  std::byte* host = nullptr;  // the host's address of `begin`

  bool Holds(std::uint64_t address, std::uint32_t bytes) const {
    return address >= begin && address <= end && end - address >= bytes;
  }
  bool read_only() const { return what == What::kConstant || what == What::kParam; }
};

MemoryKind KindOf(Region::What what);

// Returns the region that an access by `lane` at `address` must lie in; Region::what is kNone if
// there is none.
Region RegionOf(const Warp& warp, const MemoryInfo& info, std::uint64_t address, int lane);

// Returns the name of the state space of a generic address ("shared", "local", "parameter"), or
// null if the address may be a global one.
const char* OtherSpaceAt(std::uint64_t address);

}  // namespace warpcheck::emulator
