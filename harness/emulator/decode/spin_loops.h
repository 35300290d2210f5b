// Finds loops in which a thread waits for another thread: at a lock, a flag, or the barrier of a
// grid.
#pragma once

#include <vector>

#include "emulator/code/program.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

// Gives the branches that close such loops the ending kSpin, so that a warp in such a loop lets
// others run. A loop counts as waiting if it contains one of these: a load that is volatile,
// relaxed or acquiring; an atomic cas or exch; an atomic that changes nothing (it adds an immediate
// 0); a test of an mbarrier; or a load and a fence. A wrong guess costs time, and changes no
// result.
void MarkSpinLoops(const ptx::Function& function, const std::vector<BlockId>& block_at,
                   std::vector<CodeBlock>& blocks);

// Returns true for an instruction that may read what another thread writes while this one waits:
// one of those above, or a load, which waits behind a fence.
bool MayPoll(const ptx::Instruction& instruction);

}  // namespace warpcheck::emulator
