// Executes an instruction for lanes of several subwarps that meet at it.
#pragma once

#include <vector>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// An Arrival is a subwarp that has reached an instruction which it executes together with others.
struct Arrival {
  Subwarp* subwarp = nullptr;  // the running subwarp or a parked one
  const Step* step = nullptr;
  LaneMask lanes = 0;  // the lanes that execute the instruction

  // Returns true if both are at the same instruction with the same registers.
  bool IsWith(const Arrival& other) const {
    return step == other.step && subwarp->frame == other.subwarp->frame;
  }
};

// Executes the steps of the group as one instruction, and makes its subwarps ready to continue
// after it. The steps must have the same opcode and qualifiers, and the group must not be empty.
void ExecuteConverged(Warp& warp, const std::vector<Arrival>& group);

}  // namespace warpcheck::emulator
