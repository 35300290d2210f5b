// Taint marks lanes whose values come from memory that nothing has written. The entries lie behind
// the registers in a function's frame, one for each 32 bytes of it, so that they come and go with
// the frame. The entry of a register is that of its slot. A parameter area has one entry for each
// byte of a lane, as it has 32 bytes, one for each lane, for each such byte.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/code/program.h"
#include "emulator/code/step.h"

namespace warpcheck::emulator {

struct Taint {
  LaneMask lanes = 0;
  std::uint32_t origin =
      0;  // where these values come from (initialisation.h); the latest if they differ
};

inline void SetTaint(Taint& to, const Taint& value, LaneMask lanes) {
  to.lanes = (to.lanes & ~lanes) | (value.lanes & lanes);
  if ((value.lanes & lanes) != 0) to.origin = value.origin;
}

inline constexpr std::uint32_t kTaintUnit =
    32;  // bytes of a frame for one entry; every slot is a multiple

using TaintIndex = std::uint32_t;  // slot / kTaintUnit

inline TaintIndex TaintOf(Slot slot) { return slot / kTaintUnit; }

// Return how many bytes the entries of a frame take, and where they begin. A frame is aligned to 64
// bytes.
inline std::uint64_t TaintBytes(const Program& program) {
  return program.frame_bytes / kTaintUnit * sizeof(Taint);
}
inline Taint* TaintsIn(std::byte* frame, const Program& program) {
  return reinterpret_cast<Taint*>(frame + program.frame_bytes);
}

}  // namespace warpcheck::emulator
