// The stack of paths of a warp: where its lanes are, and where they meet again.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// After the top path's lanes have all left it: the next path of the warp, of its callers too. False
// when the whole subwarp has ended.
bool NextPath(Warp& warp);
void PushPath(Warp& warp, BlockId block, BlockId reconverge, LaneMask mask);
// Sends the lanes of the top path to two blocks.
void Diverge(Warp& warp, LaneMask jumping, BlockId target, BlockId next, BlockId reconverge);
void BranchByTable(Warp& warp, const Step& step, const CodeBlock& code, BlockStats& stats,
                   LaneMask lanes);
// Lanes of the top path end (or leave the function, unless `exit`).
void Leave(Warp& warp, LaneMask lanes, bool exit);

}  // namespace warpcheck::emulator
