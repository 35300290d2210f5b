// Checks the member masks of warp-synchronous instructions (shfl.sync, vote.sync, match.sync,
// redux.sync).
#pragma once

#include <bit>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Returns the lanes that wait for others of the warp and will then only end. They count as ended,
// because a GPU lets the lanes of `if (i >= n) return;` exit, while here they wait.
LaneMask LanesOnlyExiting(const Warp& warp);

// Returns true if `members`, the mask of `lane`, names that lane, and every living lane that it
// names executes the instruction too. Otherwise the result is undefined (PTX ISA, "shfl.sync").
[[gnu::always_inline]] inline bool MembersFit(const Warp& warp, LaneMask executing,
                                              LaneMask members, int lane) {
  if (((members >> lane) & 1U) == 0) return false;
  const LaneMask absent = members & ~executing & ~warp.exited;
  return absent == 0 || (absent & ~LanesOnlyExiting(warp)) == 0;
}

// Returns the lanes that `lane` names and that execute the instruction with another mask. `lane`
// would wait for them forever.
[[gnu::always_inline]] inline LaneMask LanesOfOtherMasks(const LaneMask* members,
                                                         LaneMask executing, int lane) {
  LaneMask others = 0;
  for (LaneMask left = executing & members[lane]; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    if (members[i] != members[lane]) others |= LaneMask{1} << i;
  }
  return others;
}

// Returns true if every executing lane gives the same mask, and the mask fits.
[[gnu::always_inline]] inline bool AllTakePart(const LaneMask* members, LaneMask executing,
                                               const Warp& warp) {
  const int first = std::countr_zero(executing);
  LaneMask different = 0;
  for (int i = 0; i < kLanes; ++i) {
    different |= ((executing >> i) & 1U) != 0 ? members[i] ^ members[first] : 0;
  }
  return different == 0 && (executing & ~members[first]) == 0 &&
         MembersFit(warp, executing, members[first], first);
}

// Both functions report why the mask of `lane` does not fit.
void ReportMembers(Warp& warp, const Step& step, LaneMask executing, LaneMask members, int lane);
void ReportOtherMasks(Warp& warp, const Step& step, LaneMask others, LaneMask members, int lane);

// Makes both checks of one lane, and reports any mistake. Returns true if there is no mistake.
[[gnu::always_inline]] inline bool CheckMembers(Warp& warp, const Step& step, LaneMask executing,
                                                const LaneMask* members, int lane) {
  if (!MembersFit(warp, executing, members[lane], lane)) {
    ReportMembers(warp, step, executing, members[lane], lane);
    return false;
  }
  const LaneMask others = LanesOfOtherMasks(members, executing, lane);
  if (others != 0) ReportOtherMasks(warp, step, others, members[lane], lane);
  return others == 0;
}

}  // namespace warpcheck::emulator
