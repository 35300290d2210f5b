// Changes the stack of paths of a warp, which says where its lanes are, and where they meet again.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Removes the top path, which all of its lanes have left, and continues with the next one, which
// may be in a caller. Returns false if the subwarp has ended.
bool NextPath(Warp& warp);
void PushPath(Warp& warp, BlockId block, BlockId reconverge, LaneMask mask);
// Sends lanes of the top path to two blocks: the lanes of `jumping` to `target`, the others to
// `next`.
void Diverge(Warp& warp, LaneMask jumping, BlockId target, BlockId next, BlockId reconverge);
void BranchByTable(Warp& warp, const Step& step, const CodeBlock& code, BlockStats& stats,
                   LaneMask lanes);
// Ends lanes of the top path. If `exit` is false, they only leave the function.
void Leave(Warp& warp, LaneMask lanes, bool exit);

}  // namespace warpcheck::emulator
