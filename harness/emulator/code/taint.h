// Taint: which lanes' values come from memory that nothing has written. It lies behind the
// registers in a function's frame, one entry for each 32 bytes of it, so that it needs no care of
// its own where frames come and go. A register's entry is that of its slot; a parameter area's are
// one for each byte of a lane, as the area has 32 bytes, one a lane, for each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/code/program.h"
#include "emulator/code/step.h"

namespace warpcheck::emulator {

struct Taint {
  LaneMask lanes = 0;
  std::uint32_t origin =
      0;  // of those lanes' values: see initialisation.h; the latest where they differ
};

inline void SetTaint(Taint& to, const Taint& value, LaneMask lanes) {
  to.lanes = (to.lanes & ~lanes) | (value.lanes & lanes);
  if ((value.lanes & lanes) != 0) to.origin = value.origin;
}

inline constexpr std::uint32_t kTaintUnit = 32;  // bytes of a frame; every slot is a multiple

using TaintIndex = std::uint32_t;  // slot / kTaintUnit

inline TaintIndex TaintOf(Slot slot) { return slot / kTaintUnit; }

// Bytes that a function's frame needs for it, and where it begins; a frame is aligned to 64.
inline std::uint64_t TaintBytes(const Program& program) {
  return program.frame_bytes / kTaintUnit * sizeof(Taint);
}
inline Taint* TaintsIn(std::byte* frame, const Program& program) {
  return reinterpret_cast<Taint*>(frame + program.frame_bytes);
}

}  // namespace warpcheck::emulator
