// One access of a warp, kept to be drawn: whose it is, and how often there is one like it.
#pragma once

#include <cstdint>
#include <string>

#include "base/record.h"
#include "base/result.h"
#include "device/access_example.h"
#include "device/types.h"

namespace warpcheck::run {

struct AccessSample : AccessExample {
  SourceLocation where;
  std::string kernel;       // demangled
  std::string instruction;  // of PTX: "ld.global.f32 %f1, [%rd4]"
  std::uint32_t index = 0;  // of the instruction in its function: tells those of a line apart
  // What the offsets are counted from: a device address, or an offset in the block's shared memory.
  std::uint64_t base = 0;
  Dim3 block;
  std::uint32_t warp = 0;  // in its block
  // Of all accesses of this instruction so far: how many, their costs, and how many cost as much
  // beyond the ideal as this one, which is one of the worst.
  std::uint64_t requests = 0;
  std::uint64_t cost_of_all = 0;
  std::uint64_t ideal_of_all = 0;
  std::uint64_t as_bad = 0;

  friend bool operator==(const AccessSample&, const AccessSample&) = default;
};

WARPCHECK_FIELDS(AccessSample, where, kernel, instruction, index, memory, kind, mask, bytes,
                 offsets, cost, ideal, base, block, warp, requests, cost_of_all, ideal_of_all,
                 as_bad);
WARPCHECK_FIELDS_IF_CHANGED(AccessSample, begin, end);

}  // namespace warpcheck::run
