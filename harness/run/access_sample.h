// One access of a warp, kept to be drawn: which lane touched what.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/record.h"
#include "base/result.h"
#include "device/types.h"

namespace warpcheck::run {

enum class SampledMemory : std::uint8_t { kGlobal, kShared };
enum class SampledKind : std::uint8_t { kLoad, kStore, kAtomic };

struct AccessSample {
  SourceLocation where;
  std::string kernel;       // demangled
  std::string instruction;  // of PTX: "ld.global.f32 %f1, [%rd4]"
  std::uint32_t index = 0;  // of the instruction in its function: tells those of a line apart
  SampledMemory memory = SampledMemory::kGlobal;
  SampledKind kind = SampledKind::kLoad;
  std::uint32_t bytes = 0;  // a lane
  std::uint32_t mask = 0;   // lanes that take part
  // Of the lanes in the mask: device addresses, or offsets in the block's shared memory.
  std::array<std::uint64_t, 32> addresses = {};
  Dim3 block;
  std::uint32_t warp = 0;  // in its block
  std::uint64_t cost = 0;  // of this access: sectors, or wavefronts
  std::uint64_t ideal = 0;
  // Of all accesses of this instruction so far: how many, their costs, and how many cost as much
  // beyond the ideal as this one, which is one of the worst.
  std::uint64_t requests = 0;
  std::uint64_t cost_of_all = 0;
  std::uint64_t ideal_of_all = 0;
  std::uint64_t as_bad = 0;

  friend bool operator==(const AccessSample&, const AccessSample&) = default;
};

WARPCHECK_NAMES(SampledMemory, "global", "shared");
WARPCHECK_NAMES(SampledKind, "load", "store", "atomic");

WARPCHECK_FIELDS(AccessSample, where, kernel, instruction, index, memory, kind, bytes, mask,
                 addresses, block, warp, cost, ideal, requests, cost_of_all, ideal_of_all, as_bad);

}  // namespace warpcheck::run
