// Carries out an instruction for lanes that meet there from several subwarps.
#pragma once

#include <vector>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// A subwarp at an instruction that it executes together with others.
struct Arrival {
  Subwarp* subwarp = nullptr;  // of the warp: the one that runs or a parked one
  const Step* step = nullptr;
  LaneMask lanes = 0;  // that execute it

  // The same instruction, on the same registers.
  bool IsWith(const Arrival& other) const {
    return step == other.step && subwarp->frame == other.subwarp->frame;
  }
};

// All of them execute their steps, which have the same opcode and qualifiers, as one instruction;
// then their subwarps are ready to go on behind it. The group is not empty.
void ExecuteConverged(Warp& warp, const std::vector<Arrival>& group);

}  // namespace warpcheck::emulator
