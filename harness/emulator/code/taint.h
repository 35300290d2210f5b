// Taint marks lanes whose values come from memory that nothing has written. Its entries lie after
// the registers in a function's frame, one entry for each 32 bytes of the frame, so that they exist
// as long as the frame. A register uses the entry of its slot. A parameter area has 32 bytes for
// each byte of a lane, one for each lane, and therefore one entry for each byte of a lane.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/code/program.h"
#include "emulator/code/step.h"

namespace warpcheck::emulator {

struct Taint {
  LaneMask lanes = 0;
  // The number of the values' origin (checkers/initialisation/origins.h). If their origins differ,
  // this is the latest one.
  std::uint32_t origin = 0;
};

inline void SetTaint(Taint& to, const Taint& value, LaneMask lanes) {
  to.lanes = (to.lanes & ~lanes) | (value.lanes & lanes);
  if ((value.lanes & lanes) != 0) to.origin = value.origin;
}

inline constexpr std::uint32_t kTaintUnit =
    32;  // the bytes of a frame for one entry; every slot is a multiple of it

using TaintIndex = std::uint32_t;  // the index of the entry, slot / kTaintUnit

inline TaintIndex TaintOf(Slot slot) { return slot / kTaintUnit; }

// These return how many bytes the entries of a frame take, and where they begin. A frame is aligned
// to 64 bytes.
inline std::uint64_t TaintBytes(const Program& program) {
  return program.frame_bytes / kTaintUnit * sizeof(Taint);
}
inline Taint* TaintsIn(std::byte* frame, const Program& program) {
  return reinterpret_cast<Taint*>(frame + program.frame_bytes);
}

}  // namespace warpcheck::emulator
