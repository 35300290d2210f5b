// Carries out an instruction for lanes that meet there from several strands.
#pragma once

#include <vector>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// A strand at an instruction that it executes together with others.
struct Meeter {
  Strand* strand = nullptr;  // of the warp: the one that runs or a parked one
  const Step* step = nullptr;
  LaneMask lanes = 0;  // that execute it

  // The same instruction, on the same registers.
  bool IsWith(const Meeter& other) const {
    return step == other.step && strand->frame == other.strand->frame;
  }
};

// All of them execute their steps, which have the same opcode and qualifiers, as one instruction;
// then their strands are ready to go on behind it. The group is not empty.
void ExecuteTogether(Warp& warp, const std::vector<Meeter>& group);

}  // namespace warpcheck::emulator
