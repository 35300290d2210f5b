// A warp while it runs: what instruction functions may look at and change.
#pragma once

#include <cstdint>
#include <string>

#include "device/finding.h"
#include "emulator/step.h"

namespace warpcheck::emulator {

class Block;  // emulator/block.h

struct Warp {
  std::byte* frame = nullptr;  // registers of the function that is running
  LaneMask active = 0;         // lanes that execute the current step, before its guard
  LaneMask exited = 0;         // lanes that have ended, or never were: the last warp of a block
  std::uint32_t index = 0;     // in its block
  Block* block = nullptr;
};

// Records a finding at `step` (once for each place and kind; later ones only add to its count).
// `message` is used for the first occurrence only, whose lane is the lowest of `lanes`.
void Report(Warp& warp, const Step& step, FindingKind kind, LaneMask lanes, std::string message);
// True if a finding of that kind at this place is already recorded: the message is not needed.
bool Reported(const Warp& warp, const Step& step, FindingKind kind);

// The host addresses of an atomic access: checks, counts and observes the accesses of the lanes of
// `mask` to [slot step.a + offset step.data], `bytes` each, in the space the decoder found (call
// DecodeAtomicAccess in the decode function). Returns the lanes that may go on; at[lane] is set for
// them. Lanes with a finding are left out: their result is poison (all bits set).
LaneMask AtomicAddresses(std::byte* frame, const Step& step, LaneMask mask, Warp& warp,
                         std::byte* (&at)[kLanes]);

class Operands;
// Sets step.a, step.data and step.memory for the memory operand at `index`; `with_result`: whether
// somebody reads the old value (counting differs: docs/counters.md). False: refused.
bool DecodeAtomicAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                        bool with_result);

}  // namespace warpcheck::emulator
