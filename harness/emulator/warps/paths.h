// Changes the stack of paths of a warp: where its lanes are, and where they meet again.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Removes the top path, which all of its lanes have left, and goes on with the next one, in a
// caller if need be. Returns false if the subwarp has ended.
bool NextPath(Warp& warp);
void PushPath(Warp& warp, BlockId block, BlockId reconverge, LaneMask mask);
// Sends lanes of the top path to two blocks: those of `jumping` to `target`, the others to `next`.
void Diverge(Warp& warp, LaneMask jumping, BlockId target, BlockId next, BlockId reconverge);
void BranchByTable(Warp& warp, const Step& step, const CodeBlock& code, BlockStats& stats,
                   LaneMask lanes);
// Ends lanes of the top path, or lets them leave the function unless `exit`.
void Leave(Warp& warp, LaneMask lanes, bool exit);

}  // namespace warpcheck::emulator
