// Where an address leads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// A stretch of memory in which one range test allows an access.
struct Region {
  enum class What : std::uint8_t { kNone, kHeap, kConstant, kShared, kLocal, kParam };
  What what = What::kNone;
  std::uint64_t begin = 0;    // address of its first byte, in the space of the instruction
  std::uint64_t end = 0;      // one past its last
  std::byte* host = nullptr;  // behind `begin`

  bool Holds(std::uint64_t address, std::uint32_t bytes) const {
    return address >= begin && address <= end && end - address >= bytes;
  }
  bool read_only() const { return what == What::kConstant || what == What::kParam; }
};

MemoryKind KindOf(Region::What what);

// The region that an access by `lane` at `address` should lie in; kNone where there is none.
Region RegionOf(const Warp& warp, const MemoryInfo& info, std::uint64_t address, int lane);

// "shared" for a generic address of shared memory, ...; null for one that may be global.
const char* OtherSpaceAt(std::uint64_t address);

}  // namespace warpcheck::emulator
