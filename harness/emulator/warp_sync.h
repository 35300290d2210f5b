// The member masks of warp-synchronous instructions (shfl.sync, vote.sync, match.sync, redux.sync).
#pragma once

#include "emulator/warp.h"

namespace warpcheck::emulator {

// Whether `members`, the mask that `lane` gives, names that lane and no lane that is alive and does
// not execute the instruction together with it (PTX ISA, "shfl.sync": undefined otherwise).
inline bool MembersFit(const Warp& warp, LaneMask executing, LaneMask members, int lane) {
  return ((members >> lane) & 1U) != 0 && (members & ~executing & ~warp.exited) == 0;
}

// Records why they do not fit.
void ReportMembers(Warp& warp, const Step& step, LaneMask executing, LaneMask members, int lane);

}  // namespace warpcheck::emulator
